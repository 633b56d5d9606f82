"""The scripted environments, a room each, unlike each other in what they ask, how agents work in them, and how their rows are written."""

from blade.lab.environments.arboretum import Arboretum
from blade.lab.environments.assay import Assay
from blade.lab.environments.brewery import Brewery
from blade.lab.environments.clinic import Clinic
from blade.lab.environments.cloud import Cloud
from blade.lab.environments.code import Code
from blade.lab.environments.conservatory import Conservatory
from blade.lab.environments.dairy import Dairy
from blade.lab.environments.dialogue import Dialogue
from blade.lab.environments.environment import Environment
from blade.lab.environments.ferry import Ferry
from blade.lab.environments.garage import Garage
from blade.lab.environments.harbour import Harbour
from blade.lab.environments.insurer import Insurer
from blade.lab.environments.market import Market
from blade.lab.environments.museum import Museum
from blade.lab.environments.observatory import Observatory
from blade.lab.environments.payments import Payments
from blade.lab.environments.payroll import Payroll
from blade.lab.environments.publisher import Publisher
from blade.lab.environments.questions import Questions
from blade.lab.environments.radio import Radio
from blade.lab.environments.railway import Railway
from blade.lab.environments.records import Records
from blade.lab.environments.rescue import Rescue
from blade.lab.environments.terminal import Terminal
from blade.lab.environments.theatre import Theatre
from blade.lab.environments.warehouse import Warehouse

_MADE: tuple[Environment, ...] = (
    Records(), Code(), Questions(), Dialogue(), Terminal(), Warehouse(), Observatory(), Museum(), Payments(),
    Harbour(), Clinic(), Garage(), Railway(), Cloud(), Insurer(), Radio(), Market(), Conservatory(), Rescue(),
    Brewery(), Assay(), Publisher(), Arboretum(), Ferry(), Theatre(), Dairy(), Payroll(),
)  # fmt: skip
ENVIRONMENTS: dict[str, Environment] = {made.name: made for made in _MADE}

__all__ = ["ENVIRONMENTS", "Environment"]
