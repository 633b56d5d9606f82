"""The settings of an instance, checked where people write them."""

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """Keys that a class does not name are kept and allowed: configurations carry notes and settings of other versions."""

    model_config = ConfigDict(extra="allow", frozen=True)
