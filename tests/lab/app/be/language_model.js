// Plays the interface of a browser's built-in model (the Prompt API), as it is documented: a
// download that needs a person's hand and holds at half until told, then one reply a prompt.
(() => {
  let there = window.there ?? "downloadable";
  window.asked = [];
  const pause = (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => reject(signal.reason));
      setTimeout(resolve, ms);
    });

  async function downloaded(monitor, signal) {
    if (!navigator.userActivation.isActive || window.refuseOnce) {
      window.refuseOnce = false;
      throw new DOMException("Requires a user gesture.", "NotAllowedError");
    }
    const download = new EventTarget();
    monitor(download);
    for (const loaded of [0, 0.5, 1]) {
      download.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded, total: 1 }));
      if (loaded === 0.5) await new Promise((resolve) => (window.goOn = resolve));
    }
    there = "available";
  }

  class LanguageModel {
    static async availability() {
      return there;
    }

    static async create({ monitor, signal, initialPrompts = [] } = {}) {
      signal?.throwIfAborted();
      if (there !== "available") await downloaded(monitor, signal);
      return Object.assign(new LanguageModel(), { initialPrompts });
    }

    async prompt(text, { responseConstraint, signal } = {}) {
      const roles = this.initialPrompts.map((message) => message.role);
      window.asked.push({ text, roles, actions: responseConstraint.properties.action.enum });
      try {
        await pause(window.thinking ?? 100, signal);
      } catch (reason) {
        window.asked.at(-1).aborted = true;
        throw reason;
      }
      return window.replies.shift() ?? "There is nothing more to say.";
    }

    destroy() {}
  }
  window.LanguageModel = LanguageModel;
})();
