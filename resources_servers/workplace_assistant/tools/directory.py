"""The company directory: who works here, in which team, at which address."""

from typing import Annotated, Any

from blade.gym.servers import tool
from resources_servers.workplace_assistant.state import Workplace, people

from .values import mentions


class DirectoryTools:
    @tool
    def company_directory_find_email_address(
        self, state: Workplace, name: Annotated[str, "A name or part of one, or a team"]
    ) -> dict[str, Any]:
        """Look up people of the company by name or team. Gives each one's name, email address, team and title."""
        found = [person for person in people() if mentions(person, ("name", "team"), name)]
        if not name.strip() or not found:
            raise ValueError(f"nobody in the company directory fits {name[:60]!r}")
        return {"people": found}
