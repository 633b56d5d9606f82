"""`blade package make-shallow`."""

from pathlib import Path

import click

from blade.cli.options import NamedPath, json_option


@click.command(
    "make-shallow",
    epilog="Example: blade package make-shallow --input golden_reports/model_a_golden_report.md "
    "--output golden_reports/model_a_shallow.md --adversarial",
)
@click.option(
    "--input", "source", required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False), help="The golden report."
)
@click.option("--output", required=True, type=NamedPath(path_type=Path, dir_okay=False), help="Where to write the shallow one.")
@click.option("--adversarial", is_flag=True, help="Copies that were tampered with too, in a folder named after the output.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed makes the same copies.")
@json_option
def make_shallow(source: Path, output: Path, adversarial: bool, seed: int, as_json: bool) -> None:
    """The negative control of a golden report: headings and tables of figures, without diagnosis, examples and recommendations.

    With --adversarial also copies with numbers replaced, statements negated, words shuffled, labels swapped, ids invented and so on.
    """
    from blade.cli.files import refuse_to_replace, write_files, write_whole
    from blade.cli.terminal import clean_line, print_json
    from blade.packages.controls.adversarial import CONTROLS
    from blade.packages.controls.adversarial import adversarial as tampered
    from blade.packages.controls.shallow import shallow
    from blade.packages.texts import read_markdown

    text = read_markdown(source)
    folder = output.with_name(f"{output.stem}_adversarial")
    made = tampered(text, seed) if adversarial else {}
    refuse_to_replace([source], [output, *(folder / f"{name}.md" for name in made)])
    output.parent.mkdir(parents=True, exist_ok=True)
    write_whole(output, shallow(text))
    written = {"shallow": str(output)}
    if adversarial:
        paths = write_files(folder, {f"{name}.md": copy for name, copy in made.items()})
        written |= dict(zip(made, map(str, paths), strict=True))
    if as_json:
        print_json({"schema": "blade.controls/1", "input": str(source), "seed": seed, "written": written})
        return
    meanings = {control.name: control.meaning for control in CONTROLS}
    for name, path in written.items():
        click.echo(f"{clean_line(path, 200)}  {meanings.get(name, 'headings and figures without a diagnosis')}")
