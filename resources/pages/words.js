// Everything the studio says, in the languages that it speaks. `{name}` is filled in.

const WORDS = {
  title: ["Overpaint Studio", "Overpaint-Studio"],
  stage: ["Your picture", "Ihr Bild"],
  controls: ["Style and session", "Stil und Sitzung"],
  restyled: ["Restyled", "Übermalt"],
  original: ["Original", "Original"],

  "welcome.head": ["See yourself repainted, live", "Sehen Sie sich übermalt, live"],
  "welcome.text": [
    "Your camera is off. Its picture goes to {host} to be repainted, comes back here, and is stored nowhere.",
    "Ihre Kamera ist aus. Ihr Bild geht zum Übermalen an {host}, kommt hierher zurück und wird nirgends gespeichert.",
  ],
  "welcome.start": ["Start camera", "Kamera starten"],
  "secret.head": ["Open your session", "Öffnen Sie Ihre Sitzung"],
  "secret.text": [
    "Whoever created the session gave you a link or a secret. Paste it here.",
    "Wer die Sitzung angelegt hat, gab Ihnen einen Link oder ein Geheimnis. Fügen Sie es hier ein.",
  ],
  "secret.label": ["Session link or secret", "Sitzungslink oder Geheimnis"],
  "secret.open": ["Open", "Öffnen"],
  "secret.key": [
    "This is an API key. It belongs on a server, never in a browser: create a session with it and paste that one's secret.",
    "Das ist ein API-Schlüssel. Er gehört auf einen Server, nie in einen Browser: Legen Sie damit eine Sitzung an und fügen Sie deren Geheimnis ein.",
  ],

  "state.off": ["Camera off", "Kamera aus"],
  "state.camera": ["Asking for the camera …", "Kamera wird angefragt …"],
  "state.connecting": ["Connecting …", "Verbindung wird aufgebaut …"],
  "state.queued": ["Place {position} of {size} in the queue", "Platz {position} von {size} in der Schlange"],
  "state.joined": ["Preparing your picture …", "Ihr Bild wird vorbereitet …"],
  "state.live": ["Live", "Live"],
  "state.lost": ["Connection lost, trying again …", "Verbindung verloren, neuer Versuch …"],
  "state.over": ["Ended", "Beendet"],

  "camera.denied.head": ["The camera is not allowed", "Die Kamera ist nicht erlaubt"],
  "camera.denied.text": [
    "Allow it for this page, by the camera's sign beside the address, and try again.",
    "Erlauben Sie sie dieser Seite, über das Kamerazeichen neben der Adresse, und versuchen Sie es noch einmal.",
  ],
  "camera.none.head": ["There is no camera", "Es ist keine Kamera da"],
  "camera.none.text": ["Plug one in and try again.", "Schließen Sie eine an und versuchen Sie es noch einmal."],
  "camera.busy.head": ["The camera is busy", "Die Kamera ist belegt"],
  "camera.busy.text": [
    "Another program uses it. Close that one and try again.",
    "Ein anderes Programm benutzt sie. Schließen Sie es und versuchen Sie es noch einmal.",
  ],
  "camera.insecure.head": ["This page needs HTTPS", "Diese Seite braucht HTTPS"],
  "camera.insecure.text": [
    "Browsers give their camera only to pages that come by https, or from this very computer.",
    "Browser geben ihre Kamera nur Seiten, die über https oder von diesem Computer selbst kommen.",
  ],
  "camera.gone.head": ["The camera is gone", "Die Kamera ist weg"],
  "camera.gone.text": ["It was unplugged or taken away.", "Sie wurde abgezogen oder weggenommen."],

  "over.4001.head": ["This link is not known", "Dieser Link ist unbekannt"],
  "over.4001.text": [
    "Its session was never created here, or is long over. Ask whoever gave it to you for another.",
    "Seine Sitzung wurde hier nie angelegt oder ist lange vorbei. Bitten Sie um einen neuen.",
  ],
  "over.expired.head": ["The session's time is over", "Die Zeit der Sitzung ist um"],
  "over.expired.text": [
    "Your camera is off. Ask for another link to go on.",
    "Ihre Kamera ist aus. Bitten Sie um einen neuen Link, um weiterzumachen.",
  ],
  "over.closed.head": ["The session was closed", "Die Sitzung wurde geschlossen"],
  "over.closed.text": [
    "It was opened in another window, or its owner ended it. Your camera is off.",
    "Sie wurde in einem anderen Fenster geöffnet, oder ihr Eigentümer hat sie beendet. Ihre Kamera ist aus.",
  ],
  "over.4011.head": ["The service cannot paint now", "Der Dienst kann gerade nicht malen"],
  "over.4011.text": [
    "{error} What is left of the session's time is still there.",
    "{error} Was von der Zeit der Sitzung übrig ist, bleibt erhalten.",
  ],
  "over.1013.head": ["The service is busy", "Der Dienst ist überlastet"],
  "over.1013.text": ["Try again in a moment.", "Versuchen Sie es gleich noch einmal."],
  "over.left.head": ["You have left", "Sie haben die Sitzung verlassen"],
  "over.left.text": [
    "Your camera is off. The session's time goes on until its end; you may come back.",
    "Ihre Kamera ist aus. Die Zeit der Sitzung läuft bis zu ihrem Ende weiter; Sie können zurückkommen.",
  ],
  again: ["Try again", "Noch einmal"],
  here: ["Open it here", "Hier öffnen"],
  back: ["Come back", "Zurückkommen"],
  other: ["Use another link", "Anderen Link benutzen"],

  camera: ["Camera", "Kamera"],
  compare: ["Before and after", "Vorher und nachher"],
  "compare.share": ["How much of the original is shown", "Wie viel vom Original zu sehen ist"],
  mirror: ["Mirror", "Spiegeln"],
  full: ["Full screen", "Vollbild"],
  leave: ["Leave", "Verlassen"],

  prompt: ["Style", "Stil"],
  "prompt.hint": ["Pencil sketch on warm paper", "Bleistiftskizze auf warmem Papier"],
  "prompt.send": ["Repaint", "Übermalen"],
  "prompt.enhance": ["Expand my words", "Meine Worte ausbauen"],
  "prompt.understood": ["Understood: {words}", "Verstanden: {words}"],
  "reading.words": ["Not understood: {words}", "Nicht verstanden: {words}"],
  "reading.nothing": ["Not understood: {words}. Nothing changes.", "Nicht verstanden: {words}. Nichts ändert sich."],
  "reading.background_photo": ["Photo as background …", "Foto als Hintergrund …"],
  "reading.style_photo": ["Style from a photo …", "Stil von einem Foto …"],
  "reading.look": ["Try {words}", "{words} versuchen"],
  "prompt.refused": ["Not done: {error}", "Nicht ausgeführt: {error}"],
  "prompt.later": ["It is used as soon as you are connected.", "Es gilt, sobald Sie verbunden sind."],
  photo: ["Reference photo", "Referenzfoto"],
  "photo.choose": ["Choose, drop or paste a photo", "Foto wählen, ablegen oder einfügen"],
  "photo.text": ["Your picture takes its colours and mood.", "Ihr Bild übernimmt Farben und Stimmung."],
  "photo.sending": ["Sending …", "Wird gesendet …"],
  "photo.remove": ["Remove", "Entfernen"],
  "photo.taken": ["In use. Another one takes its place.", "In Gebrauch. Ein anderes tritt an seine Stelle."],
  "photo.unreadable": ["This is no picture that can be read.", "Das ist kein lesbares Bild."],
  "photo.large": ["It is larger than 8 MB.", "Es ist größer als 8 MB."],
  "photo.url": [
    "The session's own reference photo could not be used: {error} It goes on by the words alone.",
    "Das Referenzfoto der Sitzung konnte nicht benutzt werden: {error} Es geht mit den Worten allein weiter.",
  ],
  looks: ["Looks", "Looks"],
  session: ["Session", "Sitzung"],
  left: ["Time left", "Restzeit"],
  billed: ["Billed", "Berechnet"],
  "on-air": ["On air", "Auf Sendung"],
  picture: ["Picture", "Bild"],
  unknown: ["–", "–"],
  seconds: ["{count} s", "{count} s"],
  measure: ["{width} × {height} · {fps} fps", "{width} × {height} · {fps} B/s"],
  soon: ["The session ends in {time}.", "Die Sitzung endet in {time}."],
  script: ["This page needs JavaScript.", "Diese Seite braucht JavaScript."],
};

export const language = navigator.languages.find((each) => /^(en|de)\b/.test(each))?.slice(0, 2) ?? "en";

/** The words for a key in the reader's language. */
export function say(key, values = {}) {
  const words = WORDS[key][language === "de" ? 1 : 0];
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Fills every element that names its words: data-say, data-label (accessible name), data-hint. */
export function fill(root) {
  root.documentElement.lang = language;
  for (const each of root.querySelectorAll("[data-say]")) each.textContent = say(each.dataset.say);
  for (const each of root.querySelectorAll("[data-label]")) each.setAttribute("aria-label", say(each.dataset.label));
  for (const each of root.querySelectorAll("[data-hint]")) each.placeholder = say(each.dataset.hint);
}
