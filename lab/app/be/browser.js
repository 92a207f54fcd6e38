// Chrome's built-in model (the Prompt API), in the visitor's own browser: one reply to a run that
// waits for it, or a card that says whether the model is there. Loads nothing from anywhere.

const KIND = {
  expectedInputs: [{ type: "text", languages: ["en"] }],
  expectedOutputs: [{ type: "text", languages: ["en"] }],
};

const NONE =
  "This browser has no built-in model that a page can ask. It takes Chrome 138 or newer on a " +
  "computer, with 22 GB of free disk space and either 4 GB of video memory or 16 GB of memory; " +
  "where chrome://flags lists prompt-api-for-gemini-nano, switch it on.";

const WORDS = {
  unavailable:
    "unavailable. This browser knows the interface, but has no model that runs on this device.",
  downloadable: "downloadable. It is fetched once, some gigabytes, and then stays on this device.",
  downloading: "downloading, for this page or for another one.",
  available: "available. It runs on this device.",
};

// What is under way in a place of the page. The page is drawn anew more often than that changes.
const underWay = new WeakMap();

export default function ({ data, parentElement: place, setTriggerValue }) {
  if (underWay.get(place)?.key !== data.key) {
    underWay.get(place)?.control.abort();
    const work = { key: data.key, control: new AbortController() };
    underWay.set(place, work);
    const shown = parts(place, work.control.signal);
    if (data.request) answer(data, shown, work.control, setTriggerValue);
    else card(shown, work.control.signal);
  }
  const work = underWay.get(place);
  const newest = (work.newest = {});
  return () => {
    if (work.newest !== newest) return; // drawn anew since: the newer one cleans up
    work.control.abort();
    if (underWay.get(place) === work) underWay.delete(place);
  };
}

// Ask for one reply and tell what came: a text or an error. Given up before, it tells nothing.
async function answer({ run, seq, request, seconds, late }, shown, control, setTriggerValue) {
  const { signal } = control;
  const clock = seconds && setTimeout(() => control.abort(late), seconds * 1000);
  let started = performance.now();
  const tell = (what) => {
    const took = (performance.now() - started) / 1000;
    setTriggerValue("reply", { run, seq, seconds: took, ...what });
  };
  try {
    // Every message but the last is the session's past; the last one is what it is asked.
    const past = request.messages.slice(0, -1);
    const session = await opened(past, shown, signal, () => (started = performance.now()));
    shown.say("The browser's own model is writing …");
    const { responseConstraint } = request;
    const text = await session.prompt(request.messages.at(-1).content, { responseConstraint, signal });
    session.destroy?.();
    signal.throwIfAborted();
    tell({ text });
  } catch (error) {
    if (!signal.aborted || signal.reason === late) tell({ error: inWords(error) });
  } finally {
    clearTimeout(clock);
  }
}

// A session of the model, downloaded first where it must be. Throws a sentence where there is none.
async function opened(initialPrompts, shown, signal, loading) {
  const there = await availability();
  if (there === "none") throw NONE;
  if (there === "unavailable") throw inFull(there);
  const monitor = (download) =>
    download.addEventListener("downloadprogress", ({ loaded }) => {
      loading();
      if (there !== "available") shown.progress(loaded);
    });
  const options = { ...KIND, signal, monitor };
  if (initialPrompts.length) options.initialPrompts = initialPrompts;
  try {
    return await LanguageModel.create(options);
  } catch (error) {
    if (error?.name !== "NotAllowedError") throw error;
    shown.say(inFull(there));
    await shown.pressed(); // a download needs a person's hand
    loading();
    return await LanguageModel.create(options);
  }
}

// Say whether the model is there, and download it where a person wants that.
async function card(shown, signal) {
  const there = await availability();
  shown.say(there === "none" ? NONE : inFull(there));
  if (there !== "downloadable" && there !== "downloading") return;
  try {
    await shown.pressed();
    (await opened([], shown, signal, () => {})).destroy?.();
    shown.say(inFull("available"));
  } catch (error) {
    shown.say(inWords(error));
  }
}

const availability = async () =>
  "LanguageModel" in globalThis ? LanguageModel.availability(KIND) : "none";

const inFull = (there) => `Chrome's built-in model is ${WORDS[there] ?? there}`;

const inWords = (error) => (error?.name ? `${error.name}: ${error.message}` : String(error));

// The parts of the component: a sentence, a bar for a download, a button that begins one.
function parts(place, signal) {
  const [said, bar, button] = ["p", "progress", "button"].map((tag) => place.querySelector(tag));
  bar.hidden = button.hidden = true;
  const say = (text) => {
    if (!signal.aborted) said.textContent = text;
  };
  const progress = (loaded) => {
    bar.hidden = loaded >= 1;
    bar.value = loaded;
    say(loaded < 1 ? `Downloading the model: ${Math.floor(loaded * 100)} %` : "Loading the model …");
  };
  const pressed = () =>
    new Promise((resolve) => {
      button.hidden = false;
      button.onclick = () => {
        button.hidden = true;
        resolve();
      };
    });
  return { say, progress, pressed };
}
