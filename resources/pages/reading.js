// What of a prompt is not understood, beside it: the words, and buttons for what else would do it.

import { say } from "./words.js";

/** Words of a prompt as a person would say them; those beside each other stay together: "red jacket, beach". */
export function spoken(prompt, words) {
  const parts = [];
  let end = 0;
  for (const word of words) {
    const begin = prompt.indexOf(word, end);
    const gap = begin < 0 ? "," : prompt.slice(end, begin);
    if (parts.length && !gap.trim()) parts[parts.length - 1] += gap + word;
    else parts.push(word);
    if (begin >= 0) end = begin + word.length;
  }
  return parts.join(", ");
}

/** Fills the note; empties it without a reading. `follow(suggestion)` does what a button says. */
export function showReading(note, reading, follow) {
  note.replaceChildren();
  if (!reading?.not_understood?.length) return;
  const words = spoken(reading.prompt, reading.not_understood);
  note.append(say(reading.unchanged ? "reading.nothing" : "reading.words", { words }));
  for (const suggestion of (reading.suggestions ?? []).slice(0, 2)) {
    const key = `reading.${suggestion.kind}`;
    // A page cannot change to a service on another computer; kinds of a newer service are unknown to it.
    if (!["background_photo", "style_photo", "look"].includes(suggestion.kind)) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = say(key, { words: suggestion.words });
    button.addEventListener("click", () => follow(suggestion));
    note.append(button);
  }
}
