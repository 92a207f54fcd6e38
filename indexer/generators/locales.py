"""Languages that a configuration lists as `locales`: those are, and no others."""

from indexer.generators.generator import Config
from indexer.languages import code


def languages(config: Config) -> dict[str, str] | None:
    """Return the language of each folder that is one; of none where the configuration is unknown.

    The folder of pages itself is in the language of what lies in no other.
    """
    if not config:
        return None
    locales = config.get("locales")
    found = {"": code(str(config.get("lang", "")))}
    for key, said in locales.items() if isinstance(locales, dict) else ():
        language = code(str(said.get("lang", ""))) if isinstance(said, dict) else ""
        folder = key.strip("/")
        if folder in ("", "root"):
            found[""] = language or found[""]
        else:
            found[folder] = folder if code(folder) else language or folder
    return found if len(found) > 1 else {}
