import subprocess
import sys


def test_the_package_loads_without_scipy() -> None:
    asked = "import blade.stats, sys; print([name for name in sys.modules if name.split('.')[0] == 'scipy'])"
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.strip() == "[]"
