<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Overpaint</source>
        <translation>Über Overpaint</translation>
    </message>
    <message>
        <source>Restyles your camera or screen live, on this computer.</source>
        <translation>Malt deine Kamera oder deinen Bildschirm live um, auf diesem Computer.</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Diagnostics say what works on this machine: no pictures, no keys, no prompts.</source>
        <translation>Die Diagnose sagt, was auf diesem Computer geht: keine Bilder, keine Schlüssel, keine Prompts.</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>Diagnose kopieren</translation>
    </message>
    <message>
        <source>Licences of its parts</source>
        <translation>Lizenzen der Bestandteile</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Copied. Paste it into your report.</source>
        <translation>Kopiert. Füge sie in deinen Bericht ein.</translation>
    </message>
    <message>
        <source>Examining this machine…</source>
        <translation>Dieser Computer wird untersucht…</translation>
    </message>
</context>
<context>
    <name>AppMenu</name>
    <message>
        <source>Save a snapshot</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>Recordings and snapshots…</source>
        <translation>Aufnahmen und Schnappschüsse…</translation>
    </message>
    <message>
        <source>Save the last 30 seconds</source>
        <translation>Die letzten 30 Sekunden speichern</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>Service…</source>
        <translation>Dienst…</translation>
    </message>
    <message>
        <source>Help…</source>
        <translation>Hilfe…</translation>
    </message>
    <message>
        <source>Keyboard shortcuts…</source>
        <translation>Tastenkürzel…</translation>
    </message>
    <message>
        <source>About Overpaint…</source>
        <translation>Über Overpaint…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Keep the last 30 seconds from now on</source>
        <translation>Ab jetzt die letzten 30 Sekunden behalten</translation>
    </message>
    <message>
        <source>Show the restyled picture</source>
        <translation>Wieder das umgemalte Bild zeigen</translation>
    </message>
    <message>
        <source>Show the original, not restyled…</source>
        <translation>Das Original zeigen, nicht umgemalt…</translation>
    </message>
    <message>
        <source>Version {} is there…</source>
        <translation>Version {} ist da …</translation>
    </message>
</context>
<context>
    <name>BalanceCard</name>
    <message>
        <source>Balance</source>
        <translation>Guthaben</translation>
    </message>
    <message>
        <source>credits</source>
        <translation>Credits</translation>
    </message>
    <message>
        <source>Lasts about</source>
        <translation>Reicht etwa</translation>
    </message>
    <message>
        <source>Nothing that this computer restyles costs you anything. Its service keeps books as every other does, and tops up this account by itself.</source>
        <translation>Was dieser Computer ummalt, kostet dich nichts. Sein Dienst führt Buch wie jeder andere und füllt dieses Konto von selbst auf.</translation>
    </message>
    <message>
        <source>This session</source>
        <translation>Diese Sitzung</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Secret</source>
        <translation>Geheimnis</translation>
    </message>
    <message>
        <source>Get credits</source>
        <translation>Aufladen</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Charges…</source>
        <translation>Kosten…</translation>
    </message>
    <message>
        <source>Charges and their reasons</source>
        <translation>Was berechnet wurde und wofür</translation>
    </message>
    <message>
        <source>{} · next in {}</source>
        <translation>{} · nächste in {}</translation>
    </message>
    <message>
        <source>Free on this computer</source>
        <translation>Hier kostenlos</translation>
    </message>
    <message>
        <source>lasts {}</source>
        <translation>reicht {}</translation>
    </message>
    <message>
        <source>Opens {} to get credits</source>
        <translation>Öffnet {}, um Credits zu bekommen</translation>
    </message>
    <message>
        <source>not encrypted</source>
        <translation>nicht verschlüsselt</translation>
    </message>
    <message>
        <source>{} credits · {}</source>
        <translation>{} Cr. · {}</translation>
    </message>
    <message>
        <source>Low: the picture stops in {}, unless credits are added.</source>
        <translation>Wenig: Das Bild endet in {}, wenn nichts aufgeladen wird.</translation>
    </message>
    <message>
        <source>Low: a session costs {} credits.</source>
        <translation>Wenig: Eine Sitzung kostet {} Credits.</translation>
    </message>
</context>
<context>
    <name>BatchCard</name>
    <message>
        <source>Ready to be restyled</source>
        <translation>Bereit zum Ummalen</translation>
    </message>
    <message>
        <source>Take these off the list</source>
        <translation>Diese von der Liste nehmen</translation>
    </message>
    <message>
        <source>Look for these files</source>
        <translation>Look für diese Dateien</translation>
    </message>
    <message>
        <source>The look of these files; the live picture keeps its own prompt</source>
        <translation>Wie diese Dateien aussehen sollen; das Livebild behält seinen Prompt</translation>
    </message>
    <message>
        <source>Describe the look</source>
        <translation>Look beschreiben</translation>
    </message>
    <message>
        <source>With the photo</source>
        <translation>Mit dem Foto</translation>
    </message>
    <message>
        <source>Uses the live picture&apos;s reference photo for these files, too</source>
        <translation>Nimmt das Foto des Live-Bilds auch für diese Dateien</translation>
    </message>
    <message>
        <source>Get credits</source>
        <translation>Credits aufladen</translation>
    </message>
    <message>
        <source>{} of {}</source>
        <translation>{} von {}</translation>
    </message>
    <message>
        <source>Nothing is ordered yet: press “{}”.</source>
        <translation>Noch ist nichts bestellt: Drücke „{}“.</translation>
    </message>
    <message>
        <source>Not enough credits: {} are left.</source>
        <translation>Nicht genug Credits: {} übrig.</translation>
    </message>
    <message>
        <source>Describe the look.</source>
        <translation>Sag, wie sie aussehen sollen.</translation>
    </message>
    <message>
        <source>Select some in the list to give them a look of their own.</source>
        <translation>Wähle einige in der Liste aus, um ihnen einen eigenen Look zu geben.</translation>
    </message>
</context>
<context>
    <name>CallCard</name>
    <message>
        <source>Settings › Video</source>
        <translation>Einstellungen › Video</translation>
    </message>
    <message>
        <source>Settings › Devices</source>
        <translation>Einstellungen › Geräte</translation>
    </message>
    <message>
        <source>Sources › Video Capture</source>
        <translation>Quellen › Videoaufnahme</translation>
    </message>
    <message>
        <source>Got it</source>
        <translation>Verstanden</translation>
    </message>
    <message>
        <source>On air. In your call, choose “{}”:</source>
        <translation>Auf Sendung. Wähle im Anruf „{}“:</translation>
    </message>
    <message>
        <source>On air. Does your call not list “{}”? See the card “Camera”.</source>
        <translation>Auf Sendung. Dein Videoanruf zeigt „{}“ nicht in der Liste? Siehe die Karte „Kamera“.</translation>
    </message>
</context>
<context>
    <name>CameraCard</name>
    <message>
        <source>Camera</source>
        <translation>Kamera</translation>
    </message>
    <message>
        <source>Settings › Video</source>
        <translation>Einstellungen › Video</translation>
    </message>
    <message>
        <source>Settings › Devices</source>
        <translation>Einstellungen › Geräte</translation>
    </message>
    <message>
        <source>Sources › Video Capture</source>
        <translation>Quellen › Videoaufnahme</translation>
    </message>
    <message>
        <source>What to do…</source>
        <translation>Was tun?</translation>
    </message>
    <message>
        <source>Which programs see it…</source>
        <translation>Welche Programme sie sehen…</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Neu prüfen</translation>
    </message>
    <message>
        <source>{} · checked</source>
        <translation>{} · geprüft</translation>
    </message>
    <message>
        <source>“{}” is in PipeWire: some programs see it, others once you switch it on.</source>
        <translation>„{}“ ist in PipeWire: Manche Programme sehen sie, andere, sobald du es einschaltest.</translation>
    </message>
    <message>
        <source>Choose “{}” in</source>
        <translation>Wähle „{}“ in</translation>
    </message>
    <message>
        <source>In your video call, choose Overpaint&apos;s camera in</source>
        <translation>Wähle im Videoanruf die Kamera von Overpaint in</translation>
    </message>
</context>
<context>
    <name>CameraDialog</name>
    <message>
        <source>Go live</source>
        <translation>Live gehen</translation>
    </message>
    <message>
        <source>Show the commands</source>
        <translation>Befehle zeigen</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Use the page for OBS instead</source>
        <translation>Seite für OBS nehmen</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Noch einmal prüfen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Looking for the camera…</source>
        <translation>Die Kamera wird gesucht…</translation>
    </message>
    <message>
        <source>Waiting for the password…</source>
        <translation>Wartet auf das Passwort…</translation>
    </message>
    <message>
        <source>Stopping after this step…</source>
        <translation>Hört nach diesem Schritt auf…</translation>
    </message>
    <message>
        <source>Hide the commands</source>
        <translation>Befehle verbergen</translation>
    </message>
    <message>
        <source>Setting up the camera</source>
        <translation>Die Kamera wird eingerichtet</translation>
    </message>
    <message>
        <source>This can take some minutes.</source>
        <translation>Das kann einige Minuten dauern.</translation>
    </message>
    <message>
        <source>Go live in OBS</source>
        <translation>In OBS live gehen</translation>
    </message>
    <message>
        <source>The camera is there</source>
        <translation>Die Kamera ist da</translation>
    </message>
    <message>
        <source>In your call, choose “{}”.</source>
        <translation>Wähle in deinem Videoanruf „{}“.</translation>
    </message>
    <message>
        <source>Going live needs a camera</source>
        <translation>Um live zu gehen, fehlt eine Kamera</translation>
    </message>
    <message>
        <source>A camera for every program</source>
        <translation>Eine Kamera für alle Programme</translation>
    </message>
    <message>
        <source>Overpaint can set it up: you give an administrator&apos;s password, and it is there, also after a restart.</source>
        <translation>Overpaint kann sie einrichten: Du gibst das Passwort eines Administrators ein, und sie ist da, auch nach einem Neustart.</translation>
    </message>
    <message>
        <source>Secure Boot is on: if it refuses the driver, you are told how to let it in.</source>
        <translation>Secure Boot ist an: Weist es den Treiber ab, erfährst du hier, wie du ihn zulässt.</translation>
    </message>
    <message>
        <source>The page is being opened…</source>
        <translation>Die Seite wird geöffnet…</translation>
    </message>
    <message>
        <source>In OBS, add a source of the kind Browser, 1920 wide and 1080 high, and paste this address as its URL. It shows what a camera would show: the pause picture until you go live.</source>
        <translation>Füge in OBS eine Quelle der Art Browser hinzu, 1920 breit und 1080 hoch, und füge diese Adresse als deren URL ein. Sie zeigt, was eine Kamera zeigen würde: das Pausenbild, bis du live gehst.</translation>
    </message>
    <message>
        <source>OBS shows it now.</source>
        <translation>OBS zeigt sie jetzt.</translation>
    </message>
    <message>
        <source>OBS does not show it yet.</source>
        <translation>OBS zeigt sie noch nicht.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Copy the address and go live</source>
        <translation>Adresse kopieren und live gehen</translation>
    </message>
    <message>
        <source>Get OBS Studio</source>
        <translation>OBS Studio holen</translation>
    </message>
    <message>
        <source>Open system settings</source>
        <translation>Systemeinstellungen öffnen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Set up the camera</source>
        <translation>Kamera einrichten</translation>
    </message>
    <message>
        <source>Use the page for OBS</source>
        <translation>Seite für OBS nehmen</translation>
    </message>
</context>
<context>
    <name>CameraProgramsDialog</name>
    <message>
        <source>Which programs see the camera</source>
        <translation>Welche Programme die Kamera sehen</translation>
    </message>
    <message>
        <source>Set up the driver…</source>
        <translation>Treiber einrichten…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>“{}” is in PipeWire. Programs that use V4L2&apos;s cameras need the driver v4l2loopback as well.</source>
        <translation>„{}“ ist in PipeWire. Programme, die V4L2-Kameras verwenden, brauchen außerdem den Treiber v4l2loopback.</translation>
    </message>
    <message>
        <source>“{}” is a V4L2 camera, and one of PipeWire&apos;s.</source>
        <translation>„{}“ ist eine V4L2-Kamera und zugleich eine von PipeWire.</translation>
    </message>
    <message>
        <source>“{}” is a V4L2 camera. PipeWire is not running, or its library is missing.</source>
        <translation>„{}“ ist eine V4L2-Kamera. PipeWire läuft nicht, oder seine Bibliothek fehlt.</translation>
    </message>
    <message>
        <source>Zoom, Discord, most others</source>
        <translation>Zoom, Discord, die meisten anderen</translation>
    </message>
    <message>
        <source>See it.</source>
        <translation>Sehen sie.</translation>
    </message>
    <message>
        <source>Need the driver v4l2loopback.</source>
        <translation>Brauchen den Treiber v4l2loopback.</translation>
    </message>
    <message>
        <source>Flatpak apps, GNOME&apos;s</source>
        <translation>Flatpak-Apps, die von GNOME</translation>
    </message>
    <message>
        <source>Need PipeWire.</source>
        <translation>Brauchen PipeWire.</translation>
    </message>
    <message>
        <source>Sees it, in PipeWire.</source>
        <translation>Sieht sie, in PipeWire.</translation>
    </message>
    <message>
        <source>Sees it.</source>
        <translation>Sieht sie.</translation>
    </message>
    <message>
        <source>Sees only PipeWire&apos;s cameras. In about:config, set this to false:</source>
        <translation>Sieht nur die Kameras von PipeWire. Setze in about:config dies auf false:</translation>
    </message>
    <message>
        <source>Does not see it yet. In about:config, set this to true, and start it again:</source>
        <translation>Sieht sie noch nicht. Setze in about:config dies auf true und starte neu:</translation>
    </message>
    <message>
        <source>Sees only PipeWire&apos;s cameras. At this address, choose Disabled:</source>
        <translation>Sieht nur die Kameras von PipeWire. Wähle unter dieser Adresse „Disabled“:</translation>
    </message>
    <message>
        <source>Does not see it yet. At this address, choose Enabled, and start it again:</source>
        <translation>Sieht sie noch nicht. Wähle unter dieser Adresse „Enabled“ und starte neu:</translation>
    </message>
    <message>
        <source>Sees it: Sources › Video Capture Device (V4L2).</source>
        <translation>Sieht sie: Quellen › Videoaufnahmegerät (V4L2).</translation>
    </message>
    <message>
        <source>Sees it: Sources › Video Capture Device (PipeWire).</source>
        <translation>Sieht sie: Quellen › Videoaufnahmegerät (PipeWire).</translation>
    </message>
</context>
<context>
    <name>CancelDesk</name>
    <message>
        <source>Cancel {}?</source>
        <translation>{} abbrechen?</translation>
    </message>
    <message>
        <source>Keep working</source>
        <translation>Weiterarbeiten</translation>
    </message>
    <message>
        <source>Cancel, {} kept</source>
        <translation>Abbrechen, {} verfallen</translation>
    </message>
</context>
<context>
    <name>ChargeTable</name>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>What for</source>
        <translation>Wofür</translation>
    </message>
    <message>
        <source>Credits</source>
        <translation>Credits</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>Dienst</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>dieser Computer</translation>
    </message>
    <message>
        <source>Live session</source>
        <translation>Livesitzung</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Clip</source>
        <translation>Clip</translation>
    </message>
    <message>
        <source>Added here</source>
        <translation>Hier aufgeladen</translation>
    </message>
    <message>
        <source>Free on this computer: topped up</source>
        <translation>Hier kostenlos: aufgefüllt</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>refunded</source>
        <translation>erstattet</translation>
    </message>
</context>
<context>
    <name>ChargesDialog</name>
    <message>
        <source>What was charged</source>
        <translation>Was berechnet wurde</translation>
    </message>
    <message>
        <source>Charges</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Paid in the last 30 days, from this computer: {} credits.</source>
        <translation>In den letzten 30 Tagen von diesem Computer aus bezahlt: {} Credits.</translation>
    </message>
    <message>
        <source>This computer&apos;s own service keeps books, too, and is free. What failed before it was charged is not listed.</source>
        <translation>Auch der Dienst dieses Computers führt Buch; er ist kostenlos. Was gescheitert ist, bevor es berechnet wurde, steht nicht darin.</translation>
    </message>
    <message>
        <source>Nothing was charged from this computer yet.</source>
        <translation>Von diesem Computer aus wurde noch nichts berechnet.</translation>
    </message>
</context>
<context>
    <name>ChipRow</name>
    <message>
        <source>Remove “{}” from the prompt</source>
        <translation>„{}“ aus dem Prompt nehmen</translation>
    </message>
    <message>
        <source>{} more: {}</source>
        <translation>{} weitere: {}</translation>
    </message>
</context>
<context>
    <name>CompareHandle</name>
    <message>
        <source>Compare with the original</source>
        <translation>Mit dem Original vergleichen</translation>
    </message>
    <message>
        <source>Drag to compare with the original, or hold Space; only you see it</source>
        <translation>Ziehen oder Leertaste halten vergleicht mit dem Original; nur du siehst es</translation>
    </message>
</context>
<context>
    <name>ControlKeys</name>
    <message>
        <source>In the prompt</source>
        <translation>In der Beschreibung</translation>
    </message>
    <message>
        <source>A former prompt, or the next one again</source>
        <translation>Eine frühere Beschreibung, oder wieder die nächste</translation>
    </message>
    <message>
        <source>Undo a change of the prompt, or redo it</source>
        <translation>Eine Änderung der Beschreibung zurücknehmen oder wiederholen</translation>
    </message>
    <message>
        <source>Paste a photo</source>
        <translation>Ein Foto einfügen</translation>
    </message>
    <message>
        <source>On the picture</source>
        <translation>Auf dem Bild</translation>
    </message>
    <message>
        <source>Compare with the original while it is held</source>
        <translation>Mit dem Original vergleichen, solange sie gedrückt ist</translation>
    </message>
    <message>
        <source>Move the dividing line, or put it away</source>
        <translation>Die Trennlinie bewegen oder wegnehmen</translation>
    </message>
    <message>
        <source>In the looks</source>
        <translation>Bei den Looks</translation>
    </message>
    <message>
        <source>Use the look</source>
        <translation>Den Look verwenden</translation>
    </message>
    <message>
        <source>Use the words of the search as the prompt</source>
        <translation>Die Wörter der Suche als Beschreibung verwenden</translation>
    </message>
    <message>
        <source>Clear the search, or close the gallery</source>
        <translation>Die Suche leeren oder die Galerie schließen</translation>
    </message>
    <message>
        <source>In the list of files</source>
        <translation>In der Liste der Dateien</translation>
    </message>
    <message>
        <source>Remove a file, or cancel it</source>
        <translation>Eine Datei entfernen oder abbrechen</translation>
    </message>
    <message>
        <source>Move a file up or down</source>
        <translation>Eine Datei nach oben oder unten schieben</translation>
    </message>
    <message>
        <source>Copy a result, or save it elsewhere</source>
        <translation>Ein Ergebnis kopieren oder woanders speichern</translation>
    </message>
    <message>
        <source>In the view of a file</source>
        <translation>In der Ansicht einer Datei</translation>
    </message>
    <message>
        <source>The file before, or the next</source>
        <translation>Die Datei davor oder danach</translation>
    </message>
    <message>
        <source>Zoom in or out</source>
        <translation>Vergrößern oder verkleinern</translation>
    </message>
    <message>
        <source>The whole picture, or its own size</source>
        <translation>Das ganze Bild oder seine eigene Größe</translation>
    </message>
    <message>
        <source>The line to the left or right edge</source>
        <translation>Die Linie an den linken oder rechten Rand</translation>
    </message>
    <message>
        <source>Move a zoomed picture</source>
        <translation>Ein vergrößertes Bild verschieben</translation>
    </message>
    <message>
        <source>While something is cut from the screen</source>
        <translation>Beim Ausschneiden vom Bildschirm</translation>
    </message>
    <message>
        <source>Take the whole screen, or none of it</source>
        <translation>Den ganzen Bildschirm nehmen oder nichts davon</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>DelayCard</name>
    <message>
        <source>Delay</source>
        <translation>Verzögerung</translation>
    </message>
    <message>
        <source>In OBS, open Edit › Advanced Audio Properties and enter it as Sync Offset of your microphone: then voice and lips go together.</source>
        <translation>Öffne in OBS Bearbeiten › Erweiterte Audioeigenschaften und trage sie beim Mikrofon als Sync-Versatz ein: dann passen Stimme und Lippen zusammen.</translation>
    </message>
    <message>
        <source>Delay: being measured…</source>
        <translation>Verzögerung: wird gemessen…</translation>
    </message>
    <message>
        <source>From capture to the camera, once pictures come out.</source>
        <translation>Von der Aufnahme bis zur Kamera, sobald Bilder herauskommen.</translation>
    </message>
    <message>
        <source>Audio delay for OBS: –</source>
        <translation>Tonverzögerung für OBS: –</translation>
    </message>
    <message>
        <source>Delay: {} ms</source>
        <translation>Verzögerung: {} ms</translation>
    </message>
    <message>
        <source>From capture to the camera, in the median of the last minute; 95 % stay below {} ms.</source>
        <translation>Von der Aufnahme bis zur Kamera, im Median der letzten Minute; 95 % bleiben unter {} ms.</translation>
    </message>
    <message>
        <source>Audio delay for OBS: {} ms</source>
        <translation>Tonverzögerung für OBS: {} ms</translation>
    </message>
</context>
<context>
    <name>DelayGraph</name>
    <message>
        <source>{} ms</source>
        <translation>{} ms</translation>
    </message>
    <message>
        <source>a minute ago</source>
        <translation>vor einer Minute</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
</context>
<context>
    <name>DropCover</name>
    <message>
        <source>Drop to restyle</source>
        <translation>Zum Ummalen ablegen</translation>
    </message>
    <message>
        <source>Nothing begins before you press the button in Transforms.</source>
        <translation>Nichts beginnt, bevor du den Knopf unter „Dateien“ drückst.</translation>
    </message>
    <message>
        <source>…or here, as the reference photo of the live picture</source>
        <translation>…oder hier, als Referenzfoto für das Livebild</translation>
    </message>
</context>
<context>
    <name>Everyday</name>
    <message>
        <source>Saved: {} in {}</source>
        <translation>Gespeichert: {} in {}</translation>
    </message>
    <message>
        <source>Your microphone “{}” is recorded, too. Ctrl+M mutes it.</source>
        <translation>Dein Mikrofon „{}“ wird mit aufgenommen. Strg+M schaltet es stumm.</translation>
    </message>
    <message>
        <source>From now on the last 30 seconds are kept in memory, with the sound that recordings carry, such as your microphone. Ctrl+Shift+S saves them; in the settings, under Files, you turn it off.</source>
        <translation>Ab jetzt bleiben die letzten 30 Sekunden im Speicher, mit dem Ton, den auch Aufnahmen haben, etwa deinem Mikrofon. Strg+Umschalt+S speichert sie; in den Einstellungen, unter Dateien, schaltest du das ab.</translation>
    </message>
    <message>
        <source>Show the original?</source>
        <translation>Das Original zeigen?</translation>
    </message>
    <message>
        <source>The camera will show you and your room as they are, not restyled, until you switch back or stop. A red mark on the picture says so all the while.</source>
        <translation>Die Kamera zeigt dich und deinen Raum dann, wie sie sind, nicht umgemalt, bis du zurückschaltest oder stoppst. Ein rotes Zeichen im Bild erinnert dich die ganze Zeit.</translation>
    </message>
    <message>
        <source>Stay restyled</source>
        <translation>Umgemalt bleiben</translation>
    </message>
    <message>
        <source>Show the original</source>
        <translation>Original zeigen</translation>
    </message>
</context>
<context>
    <name>FiguresCard</name>
    <message>
        <source>Stream</source>
        <translation>Stream</translation>
    </message>
    <message>
        <source>Pictures in · out</source>
        <translation>Bilder rein · raus</translation>
    </message>
    <message>
        <source>Delay</source>
        <translation>Verzögerung</translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation>Ausgelassen</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Delay and sound…</source>
        <translation>Verzögerung und Ton…</translation>
    </message>
    <message>
        <source>The delay of the last minute, and by how much to delay the sound in OBS</source>
        <translation>Die Verzögerung der letzten Minute, und um wie viel der Ton in OBS zu verzögern ist</translation>
    </message>
    <message>
        <source>{} · {} fps</source>
        <translation>{} · {} fps</translation>
    </message>
    <message>
        <source>{} ms</source>
        <translation>{} ms</translation>
    </message>
    <message>
        <source> · p95 {}</source>
        <translation> · p95 {}</translation>
    </message>
</context>
<context>
    <name>FilePhoto</name>
    <message>
        <source>Choose a photo for these files</source>
        <translation>Foto für diese Dateien wählen</translation>
    </message>
    <message>
        <source>Pictures ({})</source>
        <translation>Bilder ({})</translation>
    </message>
</context>
<context>
    <name>FramingPanel</name>
    <message>
        <source>Picture of the source</source>
        <translation>Bild der Quelle</translation>
    </message>
    <message>
        <source>Mirror for others</source>
        <translation>Spiegelbild</translation>
    </message>
    <message>
        <source>Mirrors the camera, too, not only the preview</source>
        <translation>Vertauscht links und rechts auch in der Kamera, nicht nur in der Vorschau</translation>
    </message>
    <message>
        <source>Turn</source>
        <translation>Drehen</translation>
    </message>
    <message>
        <source>Turns the picture by a quarter</source>
        <translation>Dreht das Bild um ein Viertel</translation>
    </message>
    <message>
        <source>Whole</source>
        <translation>Ganz</translation>
    </message>
    <message>
        <source>Shows the whole picture, with bars where its shape differs</source>
        <translation>Das ganze Bild ist zu sehen, mit Balken, wo seine Form abweicht</translation>
    </message>
    <message>
        <source>Fill</source>
        <translation>Füllen</translation>
    </message>
    <message>
        <source>The picture fills the frame; its edges are cut</source>
        <translation>Das Bild füllt den Rahmen; seine Ränder fallen weg</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Across</source>
        <translation>Seitlich</translation>
    </message>
    <message>
        <source>Up and down</source>
        <translation>Auf und ab</translation>
    </message>
    <message>
        <source>Format of the camera</source>
        <translation>Format der Kamera</translation>
    </message>
    <message>
        <source>Frames a second</source>
        <translation>Bilder pro Sekunde</translation>
    </message>
    <message>
        <source>Mouse pointer</source>
        <translation>Mauszeiger</translation>
    </message>
    <message>
        <source>Others see where you point.</source>
        <translation>Andere sehen, worauf du zeigst.</translation>
    </message>
    <message>
        <source>This system decides by itself whether it is in the picture.</source>
        <translation>Dieses System entscheidet selbst, ob er im Bild ist.</translation>
    </message>
    <message>
        <source>{}, where the look is light enough</source>
        <translation>{}, wenn der Look leicht genug ist</translation>
    </message>
    <message>
        <source>Best: {}</source>
        <translation>Bestes: {}</translation>
    </message>
    <message>
        <source>{}×{}, {} fps</source>
        <translation>{}×{}, {} fps</translation>
    </message>
</context>
<context>
    <name>GoingLive</name>
    <message>
        <source>Fetching the lists of packages…</source>
        <translation>Paketlisten werden geholt…</translation>
    </message>
    <message>
        <source>Installing the driver…</source>
        <translation>Der Treiber wird installiert…</translation>
    </message>
    <message>
        <source>Building the driver for this kernel…</source>
        <translation>Der Treiber wird für diesen Kernel gebaut…</translation>
    </message>
    <message>
        <source>Setting it up for each start of the computer…</source>
        <translation>Er wird für jeden Start des Computers eingerichtet…</translation>
    </message>
    <message>
        <source>Unloading the driver…</source>
        <translation>Der Treiber wird entladen…</translation>
    </message>
    <message>
        <source>Loading the driver…</source>
        <translation>Der Treiber wird geladen…</translation>
    </message>
</context>
<context>
    <name>HelpDesk</name>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
</context>
<context>
    <name>HelpDialog</name>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Show the tour</source>
        <translation>Rundgang zeigen</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Be in a call as a drawing</source>
        <translation>Als Zeichnung in einem Anruf</translation>
    </message>
    <message>
        <source>2. Describe a look below the picture and press Enter, or click one of the looks.</source>
        <translation>2. Beschreibe unter dem Bild einen Look und drücke Enter, oder klicke einen der Looks an.</translation>
    </message>
    <message>
        <source>3. Press Go live. In Zoom, Teams, Meet or OBS, choose Overpaint&apos;s camera.</source>
        <translation>3. Drücke „Live gehen“. Wähle in Zoom, Teams, Meet oder OBS die Kamera von Overpaint.</translation>
    </message>
    <message>
        <source>Who sees what</source>
        <translation>Wer was sieht</translation>
    </message>
    <message>
        <source>Only you see the preview. Others see the restyled picture while you are live, and the pause picture otherwise. Privacy shows others the pause picture at once; Hold freezes what they see. When something breaks, nobody sees you as you are.</source>
        <translation>Die Vorschau siehst nur du. Andere sehen das umgemalte Bild, solange du live bist, und sonst das Pausenbild. „Privat“ zeigt anderen sofort das Pausenbild; „Anhalten“ friert ein, was sie sehen. Geht etwas schief, sieht dich niemand, wie du bist.</translation>
    </message>
    <message>
        <source>Photos and files</source>
        <translation>Fotos und Dateien</translation>
    </message>
    <message>
        <source>1. At the top left, choose what is restyled: a camera (also a phone, or one in your network, by its address), the screen, a window or a file.</source>
        <translation>1. Wähle oben links, was umgemalt wird: eine Kamera (auch ein Telefon oder eine im Netzwerk, über ihre Adresse), der Bildschirm, ein Fenster oder eine Datei.</translation>
    </message>
    <message>
        <source>A photo dropped on the prompt lends its style to the live picture, becomes its background, or lends only its colours: choose below the prompt. Ctrl+B keeps it with the prompt as a look of your own. Pictures, clips and folders dropped anywhere else are restyled as files, also during a call, with a photo of their own if you like. The small picture beside their number shows how the first of them will look; click it to see it large.</source>
        <translation>Ein Foto, das du auf die Beschreibung ziehst, gibt dem Livebild seinen Stil, wird sein Hintergrund oder gibt nur seine Farben: Das wählst du unter der Beschreibung. Strg+B behält es mit der Beschreibung als eigenen Look. Bilder, Clips und Ordner, die du woanders ablegst, werden als Dateien umgemalt, auch während eines Anrufs und, wenn du magst, mit einem eigenen Foto. Das kleine Bild neben ihrer Anzahl zeigt, wie die erste Datei aussehen wird; ein Klick zeigt es groß.</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufnahmen</translation>
    </message>
    <message>
        <source>Record makes a video of the restyled picture, with your microphone and, if you choose so in the settings, what the computer plays; Mute silences both. The menu lists what was recorded, and keeps and saves the last 30 seconds. Quality and kind of file are in the settings.</source>
        <translation>„Aufnehmen“ macht ein Video vom umgemalten Bild, mit deinem Mikrofon und, wenn du es in den Einstellungen wählst, mit dem, was der Computer spielt; „Stumm“ betrifft beides. Das Menü zeigt, was aufgenommen wurde, und behält und speichert die letzten 30 Sekunden. Qualität und Dateityp stehen in den Einstellungen.</translation>
    </message>
    <message>
        <source>Dark rooms</source>
        <translation>Dunkle Räume</translation>
    </message>
    <message>
        <source>A dark or badly lit picture gets better light before every look. How much, or none, says Light, with mirror and zoom at the lower right of the picture; also for files.</source>
        <translation>Ein dunkles oder schlecht beleuchtetes Bild wird vor jedem Look aufgehellt. Wie sehr, oder gar nicht, sagt „Licht“, bei Spiegelbild und Zoom unten rechts im Bild; auch für Dateien.</translation>
    </message>
    <message>
        <source>If nobody sees you</source>
        <translation>Wenn dich niemand sieht</translation>
    </message>
    <message>
        <source>The card “Camera” says whether the camera works, and what to do. If your call shows no picture, choose Overpaint&apos;s camera in its video settings again. “About Overpaint” in the menu copies what a report needs.</source>
        <translation>Die Karte „Kamera“ sagt, ob die Kamera funktioniert und was zu tun ist. Zeigt dein Anruf kein Bild, wähle in seinen Videoeinstellungen noch einmal die Kamera von Overpaint. „Über Overpaint“ im Menü kopiert, was in einen Fehlerbericht gehört.</translation>
    </message>
</context>
<context>
    <name>HotkeySettings</name>
    <message>
        <source>Use them</source>
        <translation>Benutzen</translation>
    </message>
    <message>
        <source>For a look</source>
        <translation>Für einen Look</translation>
    </message>
    <message>
        <source>Changes to that look or preset at once, whatever program has the keyboard.</source>
        <translation>Wechselt sofort zu diesem Look oder dieser Vorlage, gleich welches Programm die Tastatur hat.</translation>
    </message>
    <message>
        <source>Go live, or end it</source>
        <translation>Live gehen oder beenden</translation>
    </message>
    <message>
        <source>Start, or stop</source>
        <translation>Starten oder stoppen</translation>
    </message>
    <message>
        <source>Next look</source>
        <translation>Nächster Look</translation>
    </message>
    <message>
        <source>Hold, or resume</source>
        <translation>Anhalten oder fortsetzen</translation>
    </message>
    <message>
        <source>Privacy, or show me</source>
        <translation>Privat oder wieder zeigen</translation>
    </message>
    <message>
        <source>Record, or stop recording</source>
        <translation>Aufnehmen, oder die Aufnahme beenden</translation>
    </message>
    <message>
        <source>Save the last 30 seconds</source>
        <translation>Die letzten 30 Sekunden speichern</translation>
    </message>
    <message>
        <source>Mute recorded sound, or unmute it</source>
        <translation>Ton der Aufnahmen stummschalten, oder wieder einschalten</translation>
    </message>
    <message>
        <source>Save a snapshot</source>
        <translation>Schnappschuss speichern</translation>
    </message>
    <message>
        <source>They work while another program has the keyboard: in a call, in a game.</source>
        <translation>Sie wirken, während ein anderes Programm die Tastatur hat: im Anruf, im Spiel.</translation>
    </message>
    <message>
        <source>Look: {}</source>
        <translation>Look: {}</translation>
    </message>
    <message>
        <source>The desktop assigned: {}</source>
        <translation>Der Desktop hat vergeben: {}</translation>
    </message>
    <message>
        <source>The desktop assigned no keys: see its own settings.</source>
        <translation>Der Desktop hat keine Tasten vergeben: siehe dessen eigene Einstellungen.</translation>
    </message>
    <message>
        <source>The keys below are wishes: the desktop asks you once, and can change them in its own settings.</source>
        <translation>Die Tasten unten sind Wünsche: Der Desktop fragt dich einmal und kann sie in seinen eigenen Einstellungen ändern.</translation>
    </message>
    <message>
        <source>Add a look…</source>
        <translation>Look hinzufügen…</translation>
    </message>
    <message>
        <source>{} is used already: {}.</source>
        <translation>{} ist schon vergeben: {}.</translation>
    </message>
</context>
<context>
    <name>Leaving</name>
    <message>
        <source>You are on air</source>
        <translation>Du bist auf Sendung</translation>
    </message>
    <message>
        <source>Keep the camera running</source>
        <translation>Kamera laufen lassen</translation>
    </message>
    <message>
        <source>The camera can go on without this window. Open Overpaint again to change or stop it.</source>
        <translation>Die Kamera kann ohne dieses Fenster weiterlaufen. Öffne Overpaint wieder, um sie zu ändern oder zu stoppen.</translation>
    </message>
    <message>
        <source>A recording is running</source>
        <translation>Eine Aufnahme läuft</translation>
    </message>
    <message>
        <source>Keep recording</source>
        <translation>Weiter aufnehmen</translation>
    </message>
    <message>
        <source>It can go on without this window. Open Overpaint again to end it.</source>
        <translation>Sie kann ohne dieses Fenster weiterlaufen. Öffne Overpaint wieder, um sie zu beenden.</translation>
    </message>
    <message>
        <source>Files are being restyled</source>
        <translation>Dateien werden umgemalt</translation>
    </message>
    <message>
        <source>Let them finish</source>
        <translation>Fertig werden lassen</translation>
    </message>
    <message>
        <source>They can be finished without this window. What is stopped goes on when Overpaint is opened again.</source>
        <translation>Sie können ohne dieses Fenster fertig werden. Was angehalten wird, geht weiter, wenn Overpaint wieder geöffnet wird.</translation>
    </message>
    <message>
        <source>It is not charged twice.</source>
        <translation>Es wird nicht zweimal berechnet.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>Stoppen und schließen</translation>
    </message>
</context>
<context>
    <name>LightControl</name>
    <message>
        <source>Strength of the light correction</source>
        <translation>Stärke der Lichtkorrektur</translation>
    </message>
    <message>
        <source>Dark, back-lit and one-sided pictures are lit better before every look</source>
        <translation>Bilder, die dunkel, im Gegenlicht oder einseitig beleuchtet sind, werden vor jedem Look aufgehellt</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Licht</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
</context>
<context>
    <name>LiveBridge</name>
    <message>
        <source>The window failed to talk to Overpaint&apos;s live process.</source>
        <translation>Das Fenster erreicht den Liveprozess von Overpaint nicht.</translation>
    </message>
    <message>
        <source>Overpaint&apos;s live process does not start.</source>
        <translation>Der Liveprozess von Overpaint startet nicht.</translation>
    </message>
    <message>
        <source>Another version of Overpaint is running.</source>
        <translation>Es läuft eine andere Version von Overpaint.</translation>
    </message>
    <message>
        <source>Close it, then try again.</source>
        <translation>Schließe sie und versuche es noch einmal.</translation>
    </message>
</context>
<context>
    <name>LookGallery</name>
    <message>
        <source>Search looks</source>
        <translation>Looks suchen</translation>
    </message>
    <message>
        <source>Enter: the first look. Shift+Enter: these words as the prompt.</source>
        <translation>Enter: der erste Look. Umschalt+Enter: diese Worte als Prompt.</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Favourites</source>
        <translation>Favoriten</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt</translation>
    </message>
    <message>
        <source>Most used</source>
        <translation>Häufig</translation>
    </message>
    <message>
        <source>Mine</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Keep the present prompt and photo as a preset (Ctrl+B)</source>
        <translation>Beschreibung und Foto als Vorlage behalten (Strg+B)</translation>
    </message>
    <message>
        <source>Add a preset from a file</source>
        <translation>Vorlage aus einer Datei hinzufügen</translation>
    </message>
    <message>
        <source>Back to the strip of looks (Esc)</source>
        <translation>Zurück zur Leiste (Esc)</translation>
    </message>
    <message>
        <source>Drawing</source>
        <translation>Zeichnung</translation>
    </message>
    <message>
        <source>Painting</source>
        <translation>Malerei</translation>
    </message>
    <message>
        <source>Print</source>
        <translation>Druck</translation>
    </message>
    <message>
        <source>Craft</source>
        <translation>Handwerk</translation>
    </message>
    <message>
        <source>Film</source>
        <translation>Film</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Licht</translation>
    </message>
    <message>
        <source>Screen</source>
        <translation>Bildschirm</translation>
    </message>
    <message>
        <source>Background</source>
        <translation>Hintergrund</translation>
    </message>
    <message>
        <source>No look matches “{}”. Press Enter to use these words as the prompt.</source>
        <translation>Kein Look passt zu „{}“. Enter nimmt diese Worte als Prompt.</translation>
    </message>
    <message>
        <source>No favourites yet. Click the star on a look, or press Ctrl+D.</source>
        <translation>Noch keine Favoriten. Klicke auf den Stern eines Looks, oder drücke Strg+D.</translation>
    </message>
    <message>
        <source>No presets yet. Ctrl+B keeps the present prompt, with its photo, under a name.</source>
        <translation>Noch keine Vorlagen. Strg+B behält die Beschreibung mit ihrem Foto unter einem Namen.</translation>
    </message>
    <message>
        <source>No look was chosen yet.</source>
        <translation>Noch wurde kein Look gewählt.</translation>
    </message>
</context>
<context>
    <name>LookList</name>
    <message>
        <source>Looks</source>
        <translation>Looks</translation>
    </message>
    <message>
        <source>Use this look</source>
        <translation>Diesen Look nehmen</translation>
    </message>
    <message>
        <source>Remove from favourites</source>
        <translation>Aus den Favoriten nehmen</translation>
    </message>
    <message>
        <source>Add to favourites</source>
        <translation>Zu den Favoriten</translation>
    </message>
    <message>
        <source>Share as a file…</source>
        <translation>Als Datei weitergeben…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
</context>
<context>
    <name>LookListModel</name>
    <message>
        <source>No background</source>
        <translation>Kein Hintergrund</translation>
    </message>
    <message>
        <source>shown now</source>
        <translation>jetzt gezeigt</translation>
    </message>
    <message>
        <source>favourite</source>
        <translation>Favorit</translation>
    </message>
</context>
<context>
    <name>LooksPanel</name>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All looks</source>
        <translation>Alle Looks</translation>
    </message>
    <message>
        <source>All looks: search, groups, favourites, most used (Ctrl+G)</source>
        <translation>Alle Looks: suchen, Gruppen, Favoriten, häufig benutzte (Strg+G)</translation>
    </message>
</context>
<context>
    <name>NameDialog</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>NetworkCameraDialog</name>
    <message>
        <source>Network camera</source>
        <translation>Netzwerkkamera</translation>
    </message>
    <message>
        <source>Known network cameras</source>
        <translation>Bekannte Netzwerkkameras</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Gives it a name of your own (F2); an empty one removes it</source>
        <translation>Gibt ihr einen eigenen Namen (F2); ein leerer entfernt ihn</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>User name</source>
        <translation>Benutzername</translation>
    </message>
    <message>
        <source>if the camera asks for one</source>
        <translation>falls die Kamera danach fragt</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>Keep the password in this computer&apos;s keyring</source>
        <translation>Passwort im Schlüsselbund dieses Computers behalten</translation>
    </message>
    <message>
        <source>Use this camera</source>
        <translation>Diese Kamera verwenden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>The address is in the camera&apos;s manual or app. A phone becomes a camera with an app such as IP Webcam or DroidCam, which shows an address like http://192.168.1.30:8080/video.</source>
        <translation>Die Adresse steht in der Anleitung oder App der Kamera. Ein Telefon wird mit einer App wie IP Webcam oder DroidCam zur Kamera; sie zeigt eine Adresse wie http://192.168.1.30:8080/video.</translation>
    </message>
    <message>
        <source>Its password is in this computer&apos;s keyring.</source>
        <translation>Ihr Passwort liegt im Schlüsselbund dieses Computers.</translation>
    </message>
    <message>
        <source>It is in use: choose another source first.</source>
        <translation>Sie ist in Gebrauch: Wähle erst eine andere Quelle.</translation>
    </message>
    <message>
        <source>Removes it from this list, and its password from the keyring (Del)</source>
        <translation>Entfernt sie aus dieser Liste und ihr Passwort aus dem Schlüsselbund (Entf)</translation>
    </message>
    <message>
        <source>kept in the keyring</source>
        <translation>liegt im Schlüsselbund</translation>
    </message>
    <message>
        <source>An address begins with rtsp://, rtsps://, http:// or https://, then the camera&apos;s name.</source>
        <translation>Eine Adresse beginnt mit rtsp://, rtsps://, http:// oder https://, dann folgt der Name der Kamera.</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Open system settings</source>
        <translation>Systemeinstellungen öffnen</translation>
    </message>
    <message>
        <source>Dismiss this notice</source>
        <translation>Diesen Hinweis schließen</translation>
    </message>
    <message>
        <source>and {} more</source>
        <translation>und {} weitere</translation>
    </message>
</context>
<context>
    <name>PathChoice</name>
    <message>
        <source>Back to the default</source>
        <translation>Zurück zum Üblichen</translation>
    </message>
</context>
<context>
    <name>PhotoChip</name>
    <message>
        <source>Photo</source>
        <translation>Foto</translation>
    </message>
    <message>
        <source>Adds a reference photo: choose, drop or paste one, or cut it from the screen</source>
        <translation>Nimmt ein Referenzfoto: wählen, ablegen, einfügen oder vom Bildschirm ausschneiden</translation>
    </message>
    <message>
        <source>Add a reference photo</source>
        <translation>Referenzfoto hinzufügen</translation>
    </message>
    <message>
        <source>Remove the reference photo</source>
        <translation>Referenzfoto entfernen</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>Datei wählen…</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Cut from the screen…</source>
        <translation>Vom Bildschirm ausschneiden…</translation>
    </message>
</context>
<context>
    <name>PhotoDesk</name>
    <message>
        <source>Choose a reference photo</source>
        <translation>Referenzfoto wählen</translation>
    </message>
    <message>
        <source>Pictures ({})</source>
        <translation>Bilder ({})</translation>
    </message>
</context>
<context>
    <name>PhotoReader</name>
    <message>
        <source>That photo cannot be used.</source>
        <translation>Dieses Foto lässt sich nicht verwenden.</translation>
    </message>
    <message>
        <source>The preset&apos;s photo cannot be read.</source>
        <translation>Das Foto der Vorlage ist nicht lesbar.</translation>
    </message>
    <message>
        <source>{} is not a picture that can be read. Use JPEG, PNG or WebP.</source>
        <translation>{} ist kein lesbares Bild. Nimm JPEG, PNG oder WebP.</translation>
    </message>
</context>
<context>
    <name>PhotoUseChoice</name>
    <message>
        <source>What is taken from the photo</source>
        <translation>Was vom Foto genommen wird</translation>
    </message>
    <message>
        <source>Take its style</source>
        <translation>Seinen Stil nehmen</translation>
    </message>
    <message>
        <source>The picture is painted as the photo is painted</source>
        <translation>Das Bild wird gemalt, wie das Foto gemalt ist</translation>
    </message>
    <message>
        <source>Use as background</source>
        <translation>Als Hintergrund nehmen</translation>
    </message>
    <message>
        <source>The photo is shown behind you</source>
        <translation>Das Foto ist hinter dir zu sehen</translation>
    </message>
    <message>
        <source>Only its colours</source>
        <translation>Nur seine Farben</translation>
    </message>
    <message>
        <source>The look stays yours, or the picture as it is, in the photo&apos;s colours</source>
        <translation>Dein Look bleibt, oder das Bild, wie es ist, in den Farben des Fotos</translation>
    </message>
</context>
<context>
    <name>PicturePair</name>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>{} % {}, {} % {}</source>
        <translation>{} % {}, {} % {}</translation>
    </message>
</context>
<context>
    <name>PresetDesk</name>
    <message>
        <source>Keep this look</source>
        <translation>Diesen Look behalten</translation>
    </message>
    <message>
        <source>The prompt, with strength, place and photo, becomes a preset among your looks.</source>
        <translation>Die Beschreibung wird mit Stärke, Ort und Foto zu einer Vorlage bei deinen Looks.</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Add a preset from a file</source>
        <translation>Vorlage aus einer Datei hinzufügen</translation>
    </message>
    <message>
        <source>Presets ({})</source>
        <translation>Vorlagen ({})</translation>
    </message>
    <message>
        <source>Share this preset as a file</source>
        <translation>Diese Vorlage als Datei weitergeben</translation>
    </message>
    <message>
        <source>Delete “{}”?</source>
        <translation>„{}“ löschen?</translation>
    </message>
    <message>
        <source>Its prompt and photo are lost, unless you shared it as a file.</source>
        <translation>Ihre Worte und ihr Foto sind dann fort, außer du hast sie als Datei weitergegeben.</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
</context>
<context>
    <name>PresetShelf</name>
    <message>
        <source>{} is not a preset of Overpaint.</source>
        <translation>{} ist keine Vorlage von Overpaint.</translation>
    </message>
    <message>
        <source>A preset cannot be read or written: {}.</source>
        <translation>Eine Vorlage ist nicht lesbar oder nicht zu schreiben: {}.</translation>
    </message>
</context>
<context>
    <name>PreviewButton</name>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Painting a preview…</source>
        <translation>Vorschau wird gemalt…</translation>
    </message>
    <message>
        <source>Shows the preview large, before you order</source>
        <translation>Zeigt die Vorschau groß, bevor du bestellst</translation>
    </message>
</context>
<context>
    <name>PreviewDialog</name>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Previous file (Page up)</source>
        <translation>Vorherige Datei (Bild auf)</translation>
    </message>
    <message>
        <source>Next file (Page down)</source>
        <translation>Nächste Datei (Bild ab)</translation>
    </message>
    <message>
        <source>Look for these files</source>
        <translation>Look für diese Dateien</translation>
    </message>
    <message>
        <source>Describe the look</source>
        <translation>Look beschreiben</translation>
    </message>
    <message>
        <source>Not yet</source>
        <translation>Noch nicht</translation>
    </message>
    <message>
        <source>Describe the look.</source>
        <translation>Sag, wie sie aussehen sollen.</translation>
    </message>
    <message>
        <source>Painting…</source>
        <translation>Wird gemalt…</translation>
    </message>
    <message>
        <source>There is no preview: {}</source>
        <translation>Es gibt keine Vorschau: {}</translation>
    </message>
    <message>
        <source>This computer cannot do what the prompt says; the service may.</source>
        <translation>Dieser Computer kann nicht, was die Beschreibung sagt; der Dienst vielleicht.</translation>
    </message>
    <message>
        <source>Nothing in the prompt can be done: the file would stay as it is.</source>
        <translation>Nichts von der Beschreibung lässt sich machen: Die Datei bliebe, wie sie ist.</translation>
    </message>
    <message>
        <source>Painted by this computer, smaller than the result. The service may paint it differently.</source>
        <translation>Von diesem Computer gemalt, kleiner als das Ergebnis. Der Dienst malt es vielleicht anders.</translation>
    </message>
    <message>
        <source>One picture of the clip, smaller than the result. Nothing is saved yet.</source>
        <translation>Ein Bild des Clips, kleiner als das Ergebnis. Noch ist nichts gespeichert.</translation>
    </message>
    <message>
        <source>Smaller than the result. Nothing is saved yet.</source>
        <translation>Kleiner als das Ergebnis. Noch ist nichts gespeichert.</translation>
    </message>
</context>
<context>
    <name>PromptLine</name>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Describe the look: pencil sketch on warm paper…</source>
        <translation>Beschreibe den Look: Bleistiftskizze auf warmem Papier…</translation>
    </message>
    <message>
        <source>Back to the prompt before (Ctrl+Z)</source>
        <translation>Zurück zum Prompt davor (Strg+Z)</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Applies the prompt (Enter)</source>
        <translation>Wendet den Prompt an (Enter)</translation>
    </message>
    <message>
        <source>Understood as: {}</source>
        <translation>Verstanden als: {}</translation>
    </message>
    <message>
        <source>Press Enter to apply.</source>
        <translation>Enter wendet an.</translation>
    </message>
    <message>
        <source>Enter asks {}, which says what it understands.</source>
        <translation>Enter fragt {}: Der Dienst sagt, was er versteht.</translation>
    </message>
    <message>
        <source>Enter applies: {}</source>
        <translation>Enter wendet an: {}</translation>
    </message>
</context>
<context>
    <name>QueueNotice</name>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Dismiss this notice</source>
        <translation>Diesen Hinweis schließen</translation>
    </message>
    <message>
        <source>Get credits</source>
        <translation>Credits aufladen</translation>
    </message>
</context>
<context>
    <name>ReadingNote</name>
    <message>
        <source>Not understood: {}. Nothing changes.</source>
        <translation>Nicht verstanden: {}. Nichts ändert sich.</translation>
    </message>
    <message>
        <source>Not understood: {}</source>
        <translation>Nicht verstanden: {}</translation>
    </message>
    <message>
        <source>Photo as background…</source>
        <translation>Foto als Hintergrund…</translation>
    </message>
    <message>
        <source>Choose a photo ({}); it becomes your background</source>
        <translation>Ein Foto wählen ({}); es wird der Hintergrund</translation>
    </message>
    <message>
        <source>Style from a photo…</source>
        <translation>Stil von einem Foto…</translation>
    </message>
    <message>
        <source>Choose a picture in that style; yours is painted like it</source>
        <translation>Ein Bild in diesem Stil wählen; deins wird so gemalt</translation>
    </message>
    <message>
        <source>Ask another service…</source>
        <translation>Anderen Dienst fragen…</translation>
    </message>
    <message>
        <source>A service with a generative model may be able to; needs its address and key</source>
        <translation>Ein Dienst mit generativem Modell kann es vielleicht; nötig sind seine Adresse und ein Schlüssel</translation>
    </message>
    <message>
        <source>Try {}</source>
        <translation>{} versuchen</translation>
    </message>
</context>
<context>
    <name>RecordingSettings</name>
    <message>
        <source>Videos › Overpaint</source>
        <translation>Videos › Overpaint</translation>
    </message>
    <message>
        <source>Choose a folder for recordings</source>
        <translation>Ordner für Aufnahmen wählen</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufnahmen</translation>
    </message>
    <message>
        <source>The restyled picture as a video (Ctrl+R).</source>
        <translation>Das umgemalte Bild als Video (Strg+R).</translation>
    </message>
    <message>
        <source>Kind of file</source>
        <translation>Dateityp</translation>
    </message>
    <message>
        <source>MP4 plays everywhere. After a crash both can be played, but for the last second or so.</source>
        <translation>MP4 läuft überall. Nach einem Absturz lassen sich beide abspielen, bis auf etwa die letzte Sekunde.</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Qualität</translation>
    </message>
    <message>
        <source>A calm picture takes less. A small file loses the finest lines of busy pictures.</source>
        <translation>Ein ruhiges Bild braucht weniger. Eine kleine Datei verliert bei unruhigen Bildern die feinsten Linien.</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>High</source>
        <translation>Hoch</translation>
    </message>
    <message>
        <source>Small file</source>
        <translation>Kleine Datei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Frames a second</source>
        <translation>Bilder pro Sekunde</translation>
    </message>
    <message>
        <source>A camera has the rate of its format, a screen 30 or 60 as you choose, a video its own.</source>
        <translation>Eine Kamera hat die Bildrate ihres Formats, ein Bildschirm 30 oder 60 nach deiner Wahl, ein Video seine eigene.</translation>
    </message>
    <message>
        <source>As they come</source>
        <translation>Wie sie kommen</translation>
    </message>
    <message>
        <source>At most 30</source>
        <translation>Höchstens 30</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Rückblick</translation>
    </message>
    <message>
        <source>Keeps the last 30 seconds in memory, with the sound that recordings carry, while a picture is shown: Ctrl+Shift+S saves what just happened. It takes as much processor time as a recording.</source>
        <translation>Behält die letzten 30 Sekunden im Speicher, mit dem Ton, den auch Aufnahmen haben, solange ein Bild gezeigt wird: Strg+Umschalt+S speichert, was gerade war. Das braucht so viel Rechenzeit wie eine Aufnahme.</translation>
    </message>
    <message>
        <source>{} · up to {} MB/min</source>
        <translation>{} · bis {} MB/min</translation>
    </message>
</context>
<context>
    <name>RecordingsDialog</name>
    <message>
        <source>Recordings and snapshots</source>
        <translation>Aufnahmen und Schnappschüsse</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Puts the file into the trash (Del)</source>
        <translation>Legt die Datei in den Papierkorb (Entf)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Looking for recordings…</source>
        <translation>Aufnahmen werden gesucht…</translation>
    </message>
    <message>
        <source>Nothing was recorded yet. Ctrl+R records, Ctrl+S saves a snapshot.</source>
        <translation>Noch nichts aufgenommen. Strg+R nimmt auf, Strg+S speichert einen Schnappschuss.</translation>
    </message>
    <message>
        <source>Drag one into another program, or open it.</source>
        <translation>Zieh eine Datei in ein anderes Programm, oder öffne sie.</translation>
    </message>
</context>
<context>
    <name>ResultDesk</name>
    <message>
        <source>Copied {} files.</source>
        <translation>{} Dateien kopiert.</translation>
    </message>
    <message>
        <source>Save a copy</source>
        <translation>Kopie speichern</translation>
    </message>
    <message>
        <source>Save copies in</source>
        <translation>Kopien speichern in</translation>
    </message>
    <message>
        <source>Saved as {}.</source>
        <translation>Gespeichert als {}.</translation>
    </message>
    <message>
        <source>Saved {} files in {}.</source>
        <translation>{} Dateien in {} gespeichert.</translation>
    </message>
    <message>
        <source>No program opens {}.</source>
        <translation>Kein Programm öffnet {}.</translation>
    </message>
    <message>
        <source>Copied {}.</source>
        <translation>{} kopiert.</translation>
    </message>
    <message>
        <source>That did not work: {} ({}).</source>
        <translation>Das ging nicht: {} ({}).</translation>
    </message>
    <message>
        <source>That did not work.</source>
        <translation>Das ging nicht.</translation>
    </message>
</context>
<context>
    <name>ResultSettings</name>
    <message>
        <source>Pictures › Overpaint</source>
        <translation>Bilder › Overpaint</translation>
    </message>
    <message>
        <source>Choose a folder for restyled files</source>
        <translation>Ordner für umgemalte Dateien wählen</translation>
    </message>
    <message>
        <source>Like the original</source>
        <translation>Wie das Original</translation>
    </message>
    <message>
        <source>At most {} pixels</source>
        <translation>Höchstens {} Pixel</translation>
    </message>
    <message>
        <source>As the service sends it</source>
        <translation>Wie vom Dienst geliefert</translation>
    </message>
    <message>
        <source>Restyled files</source>
        <translation>Umgemalte Dateien</translation>
    </message>
    <message>
        <source>Pictures and clips of the list. The originals stay as they are.</source>
        <translation>Bilder und Clips aus der Liste. Die Originale bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Format of restyled pictures</source>
        <translation>Format umgemalter Bilder</translation>
    </message>
    <message>
        <source>PNG keeps every pixel; JPEG and WebP are smaller.</source>
        <translation>PNG behält jedes Pixel; JPEG und WebP sind kleiner.</translation>
    </message>
    <message>
        <source>The longer side. Smaller pictures keep their size.</source>
        <translation>Die längere Seite. Kleinere Bilder behalten ihre Größe.</translation>
    </message>
    <message>
        <source>Format of restyled clips</source>
        <translation>Format umgemalter Clips</translation>
    </message>
    <message>
        <source>MP4 plays nearly everywhere. MKV is for video editors.</source>
        <translation>MP4 läuft fast überall. MKV ist für Schnittprogramme.</translation>
    </message>
    <message>
        <source>Size of restyled clips</source>
        <translation>Größe umgemalter Clips</translation>
    </message>
    <message>
        <source>The longer side: 1920 is 1080p, 1280 is 720p. Smaller clips keep their size.</source>
        <translation>Die längere Seite: 1920 ist 1080p, 1280 ist 720p. Kleinere Clips behalten ihre Größe.</translation>
    </message>
    <message>
        <source>Size of restyled pictures</source>
        <translation>Größe umgemalter Bilder</translation>
    </message>
</context>
<context>
    <name>ResultViewer</name>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Restyled</source>
        <translation>Umgemalt</translation>
    </message>
    <message>
        <source>Previous result (Page up)</source>
        <translation>Voriges Ergebnis (Bild auf)</translation>
    </message>
    <message>
        <source>Next result (Page down)</source>
        <translation>Nächstes Ergebnis (Bild ab)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Shows all of it (0)</source>
        <translation>Zeigt alles (0)</translation>
    </message>
    <message>
        <source>1:1</source>
        <translation>1:1</translation>
    </message>
    <message>
        <source>Shows every pixel (1, or a double click); the wheel zooms at the pointer</source>
        <translation>Zeigt jedes Pixel (1 oder Doppelklick); das Mausrad zoomt am Zeiger</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Plays the clip in the program that your system has for it</source>
        <translation>Spielt den Clip im Programm deines Systems ab</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Save a copy…</source>
        <translation>Kopie speichern…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>{} %</source>
        <translation>{} %</translation>
    </message>
    <message>
        <source>{} no longer exists.</source>
        <translation>{} ist nicht mehr da.</translation>
    </message>
</context>
<context>
    <name>SavedFiles</name>
    <message>
        <source>{} cannot be put into the trash.</source>
        <translation>{} lässt sich nicht in den Papierkorb legen.</translation>
    </message>
    <message>
        <source>Snapshot</source>
        <translation>Schnappschuss</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Aufnahme</translation>
    </message>
</context>
<context>
    <name>ScreenCover</name>
    <message>
        <source>Draw a frame around the picture; Esc cancels, Enter takes the whole screen</source>
        <translation>Ziehe einen Rahmen um das Bild; Esc bricht ab, Enter nimmt den ganzen Bildschirm</translation>
    </message>
</context>
<context>
    <name>ScreenSnip</name>
    <message>
        <source>This system does not let programs capture the screen. Take a screenshot and paste it.</source>
        <translation>Dieses System lässt kein Programm auf den Bildschirm sehen. Mach ein Bildschirmfoto und füge es ein.</translation>
    </message>
</context>
<context>
    <name>ServiceDialog</name>
    <message>
        <source>Service</source>
        <translation>Dienst</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Computer</translation>
    </message>
    <message>
        <source>Another service</source>
        <translation>Ein anderer Dienst</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API-Schlüssel</translation>
    </message>
    <message>
        <source>ovp_live_… (empty: the saved one)</source>
        <translation>ovp_live_… (leer: der aufbewahrte)</translation>
    </message>
    <message>
        <source>While it does not answer, restyle on this computer</source>
        <translation>Solange er nicht antwortet, auf diesem Computer ummalen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Test and use</source>
        <translation>Prüfen und verwenden</translation>
    </message>
    <message>
        <source>A service with a generative model may be able to do this. You need its address and a key, both from whoever runs it. Overpaint&apos;s own service cannot, on another computer either.</source>
        <translation>Ein Dienst mit einem generativen Modell kann das vielleicht. Du brauchst seine Adresse und einen Schlüssel, beides vom Betreiber. Overpaints eigener Dienst kann es nicht, auch nicht auf einem anderen Computer.</translation>
    </message>
    <message>
        <source>The connection to this service is not encrypted.</source>
        <translation>Der Weg zu diesem Dienst ist nicht verschlüsselt.</translation>
    </message>
    <message>
        <source>Where should pictures be restyled?</source>
        <translation>Wo wird umgemalt?</translation>
    </message>
    <message>
        <source>Works without an account and without the internet. Nothing leaves this computer.</source>
        <translation>Geht ohne Konto und ohne Internet. Nichts verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>Your picture is sent there. The key is kept in your system&apos;s keyring, nowhere else.</source>
        <translation>Dein Bild wird dorthin gesendet. Der Schlüssel liegt im Schlüsselbund deines Systems, sonst nirgends.</translation>
    </message>
    <message>
        <source>This address is not encrypted (http). Everybody on the way, in the same Wi-Fi or at your provider, can read your API key and see your picture. Use https:// if the service has it; agree only if the whole way is yours.</source>
        <translation>Diese Adresse ist nicht verschlüsselt (http). Alle auf dem Weg dorthin, im selben WLAN oder bei deinem Anbieter, können deinen API-Schlüssel lesen und dein Bild sehen. Nimm https://, wo der Dienst es hat; stimme nur zu, wo der ganze Weg deiner ist.</translation>
    </message>
    <message>
        <source>Connected. There is no keyring: enter the key again next time.</source>
        <translation>Übernommen. Es gibt keinen Schlüsselbund: Gib den Schlüssel nächstes Mal wieder ein.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Send it unencrypted</source>
        <translation>Unverschlüsselt senden</translation>
    </message>
    <message>
        <source>Use this computer</source>
        <translation>Diesen Computer verwenden</translation>
    </message>
    <message>
        <source>Asking the service…</source>
        <translation>Der Dienst wird gefragt…</translation>
    </message>
</context>
<context>
    <name>SessionRecovery</name>
    <message>
        <source>Overpaint&apos;s live part ended at {} and was started again. {} is not there any more: choose a source and start when you are ready.</source>
        <translation>Der Liveteil von Overpaint endete um {} und wurde neu gestartet. {} ist nicht mehr da: Wähle eine Quelle und starte, wenn du so weit bist.</translation>
    </message>
    <message>
        <source>Overpaint&apos;s live part ended at {} and was started again. Start when you are ready.</source>
        <translation>Der Liveteil von Overpaint endete um {} und wurde neu gestartet. Starte, wenn du so weit bist.</translation>
    </message>
    <message>
        <source>Overpaint&apos;s live part ended again at {}, for the fourth time in ten minutes. Start when you are ready; live.log in the data folder says why.</source>
        <translation>Der Liveteil von Overpaint endete um {} wieder, zum vierten Mal in zehn Minuten. Starte, wenn du so weit bist; live.log im Datenordner sagt den Grund.</translation>
    </message>
    <message>
        <source>Overpaint&apos;s live part ended at {} and came back by itself: on air with the same look.</source>
        <translation>Der Liveteil von Overpaint endete um {} und kam von selbst zurück: auf Sendung, im selben Look.</translation>
    </message>
    <message>
        <source>Overpaint&apos;s live part ended at {} and came back by itself, with the same look.</source>
        <translation>Der Liveteil von Overpaint endete um {} und kam von selbst zurück, im selben Look.</translation>
    </message>
    <message>
        <source>The original is no longer shown.</source>
        <translation>Das Original wird nicht mehr gezeigt.</translation>
    </message>
    <message>
        <source>The recording has ended; what was recorded can be played.</source>
        <translation>Die Aufnahme ist beendet; was aufgenommen wurde, lässt sich abspielen.</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>The window reopens in this language; the camera goes on meanwhile.</source>
        <translation>Das Fenster öffnet sich darin neu; die Kamera läuft weiter.</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Start with the system</source>
        <translation>Mit dem System starten</translation>
    </message>
    <message>
        <source>Overpaint opens when you sign in. It goes on air only when you say so.</source>
        <translation>Overpaint öffnet sich beim Anmelden. Auf Sendung geht es nur, wenn du es sagst.</translation>
    </message>
    <message>
        <source>Start with the preview</source>
        <translation>Mit der Vorschau beginnen</translation>
    </message>
    <message>
        <source>You see yourself restyled as soon as the window opens. Only you, until you go live.</source>
        <translation>Du siehst dich umgemalt, sobald sich das Fenster öffnet. Nur du, bis du live gehst.</translation>
    </message>
    <message>
        <source>Start in the background</source>
        <translation>Im Hintergrund starten</translation>
    </message>
    <message>
        <source>In the tray.</source>
        <translation>Im Infobereich.</translation>
    </message>
    <message>
        <source>Minimised: this desktop shows no tray.</source>
        <translation>Minimiert: Diese Oberfläche hat keinen Infobereich.</translation>
    </message>
    <message>
        <source>Closing keeps Overpaint in the tray</source>
        <translation>Schließen lässt Overpaint im Infobereich</translation>
    </message>
    <message>
        <source>The camera goes on; a click on the tray&apos;s icon brings the window back.</source>
        <translation>Die Kamera läuft weiter; ein Klick auf das Symbol holt das Fenster zurück.</translation>
    </message>
    <message>
        <source>This desktop shows no tray.</source>
        <translation>Diese Oberfläche hat keinen Infobereich.</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Mirror the preview</source>
        <translation>Vorschau spiegeln</translation>
    </message>
    <message>
        <source>Only for you, and only with a camera; others see you the right way round.</source>
        <translation>Nur für dich und nur bei einer Kamera; andere sehen dich seitenrichtig.</translation>
    </message>
    <message>
        <source>Overpaint&apos;s own</source>
        <translation>Das von Overpaint</translation>
    </message>
    <message>
        <source>Choose a pause picture</source>
        <translation>Pausenbild wählen</translation>
    </message>
    <message>
        <source>Pictures ({})</source>
        <translation>Bilder ({})</translation>
    </message>
    <message>
        <source>Pause picture</source>
        <translation>Pausenbild</translation>
    </message>
    <message>
        <source>What others see while you are stopped, private or not on air.</source>
        <translation>Was andere sehen, wenn du gestoppt, privat oder nicht auf Sendung bist.</translation>
    </message>
    <message>
        <source>After {} s</source>
        <translation>Nach {} s</translation>
    </message>
    <message>
        <source>After {} min</source>
        <translation>Nach {} min</translation>
    </message>
    <message>
        <source>If no new picture comes</source>
        <translation>Wenn kein neues Bild kommt</translation>
    </message>
    <message>
        <source>Others see the last restyled picture until then, and the pause picture from then on.</source>
        <translation>Bis dahin sehen andere das letzte umgemalte Bild, danach das Pausenbild.</translation>
    </message>
    <message>
        <source>Streaming</source>
        <translation>Streaming</translation>
    </message>
    <message>
        <source>Page for OBS</source>
        <translation>Seite für OBS</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Its address</source>
        <translation>Ihre Adresse</translation>
    </message>
    <message>
        <source>In OBS, choose Sources › + › Browser, paste the address as URL, and enter 1920 as width and 1080 as height. It is a file of yours, which “Local file” finds too, and stays the same.</source>
        <translation>In OBS Quellen › + › Browser wählen, die Adresse als URL einfügen, als Breite 1920 und als Höhe 1080 eintragen. Sie ist eine Datei von dir, die auch „Lokale Datei“ findet, und bleibt dieselbe.</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Pictures › Overpaint</source>
        <translation>Bilder › Overpaint</translation>
    </message>
    <message>
        <source>Choose a folder for snapshots</source>
        <translation>Ordner für Bilder wählen</translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation>Schnappschüsse</translation>
    </message>
    <message>
        <source>Single pictures as PNG (Ctrl+S).</source>
        <translation>Einzelne Bilder als PNG (Strg+S).</translation>
    </message>
    <message>
        <source>Global shortcuts</source>
        <translation>Globale Tastenkürzel</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Computer</translation>
    </message>
    <message>
        <source>Low priority</source>
        <translation>Niedrige Priorität</translation>
    </message>
    <message>
        <source>Overpaint yields to games and other demanding programs: fewer pictures a second instead of a slow machine. When turned off, some systems restore its priority only at the next start.</source>
        <translation>Neben einem Spiel oder einem schweren Programm tritt Overpaint zurück: lieber weniger Bilder in der Sekunde als ein langsamer Computer. Beim Abschalten geben manche Systeme die Priorität erst beim nächsten Start zurück.</translation>
    </message>
    <message>
        <source>Tell me of new versions</source>
        <translation>Neue Versionen melden</translation>
    </message>
    <message>
        <source>{} programs on this computer show it now.</source>
        <translation>{} Programme auf diesem Computer zeigen sie gerade.</translation>
    </message>
    <message>
        <source>One program on this computer shows it now.</source>
        <translation>Ein Programm auf diesem Computer zeigt sie gerade.</translation>
    </message>
    <message>
        <source>Nothing is restyled until a program opens the camera; it shows the last picture meanwhile, and goes on at once. A recording, the page for OBS while it is shown, and this preview while you see it count as watching.</source>
        <translation>Nichts wird umgemalt, bis ein Programm die Kamera öffnet; sie zeigt solange das letzte Bild und läuft sofort weiter. Eine Aufnahme, die Seite für OBS, solange sie gezeigt wird, und diese Vorschau, solange du sie siehst, gelten als Zuschauer.</translation>
    </message>
    <message>
        <source>Meanwhile no session is bought.</source>
        <translation>Solange wird keine Sitzung gekauft.</translation>
    </message>
    <message>
        <source>Once a day Overpaint asks {} which version is the newest, and sends nothing else. Nothing is downloaded or installed.</source>
        <translation>Einmal am Tag fragt Overpaint bei {}, welche Version die neueste ist, und sendet sonst nichts. Nichts wird heruntergeladen oder installiert.</translation>
    </message>
    <message>
        <source>Not possible yet: no address that could be asked has been published.</source>
        <translation>Noch nicht möglich: Es ist noch keine Adresse veröffentlicht, die gefragt werden könnte.</translation>
    </message>
    <message>
        <source>Pause when no program reads the camera</source>
        <translation>Pausieren, wenn kein Programm die Kamera liest</translation>
    </message>
    <message>
        <source>Also while I look at the preview</source>
        <translation>Auch während ich die Vorschau ansehe</translation>
    </message>
    <message>
        <source>Only programs and recordings count: the preview pauses, too.</source>
        <translation>Nur Programme und Aufnahmen zählen: auch die Vorschau pausiert dann.</translation>
    </message>
    <message>
        <source>OBS shows exactly what the camera shows, also without a virtual camera. Only programs that may read your files can watch, on this computer only.</source>
        <translation>OBS zeigt genau, was die Kamera zeigt, auch ohne virtuelle Kamera. Zusehen können nur Programme, die deine Dateien lesen dürfen, und nur auf diesem Computer.</translation>
    </message>
    <message>
        <source>This system does not tell whether a program reads the camera.</source>
        <translation>Ob ein Programm die Kamera liest, lässt sich hier nicht feststellen.</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>On air</source>
        <translation>Auf Sendung</translation>
    </message>
    <message>
        <source>Prompt and looks</source>
        <translation>Beschreibung und Looks</translation>
    </message>
    <message>
        <source>Files and window</source>
        <translation>Dateien und Fenster</translation>
    </message>
    <message>
        <source>Go live, or end it</source>
        <translation>Live gehen oder beenden</translation>
    </message>
    <message>
        <source>Privacy on or off</source>
        <translation>Privat ein oder aus</translation>
    </message>
    <message>
        <source>Hold the picture, or go on</source>
        <translation>Bild anhalten oder weiterlaufen lassen</translation>
    </message>
    <message>
        <source>Record, or stop recording</source>
        <translation>Aufnehmen oder Aufnahme beenden</translation>
    </message>
    <message>
        <source>Mute recorded sound, or unmute it</source>
        <translation>Ton der Aufnahmen stummschalten, oder wieder einschalten</translation>
    </message>
    <message>
        <source>Write a prompt</source>
        <translation>Beschreibung eingeben</translation>
    </message>
    <message>
        <source>Apply the prompt</source>
        <translation>Beschreibung anwenden</translation>
    </message>
    <message>
        <source>All looks</source>
        <translation>Alle Looks</translation>
    </message>
    <message>
        <source>Make a look a favourite, or not</source>
        <translation>Look zu den Favoriten oder aus ihnen</translation>
    </message>
    <message>
        <source>Keep prompt and photo as a preset</source>
        <translation>Beschreibung und Foto als Vorlage behalten</translation>
    </message>
    <message>
        <source>Open a picture or clip as the source</source>
        <translation>Bild oder Clip als Quelle öffnen</translation>
    </message>
    <message>
        <source>Add files to restyle</source>
        <translation>Dateien zum Ummalen hinzufügen</translation>
    </message>
    <message>
        <source>Paste files to restyle</source>
        <translation>Dateien zum Ummalen einfügen</translation>
    </message>
    <message>
        <source>Search for sources again</source>
        <translation>Quellen neu suchen</translation>
    </message>
    <message>
        <source>Show the side panel, or fold it away</source>
        <translation>Seitenleiste zeigen oder wegklappen</translation>
    </message>
</context>
<context>
    <name>SigningIn</name>
    <message>
        <source>The system does not let Overpaint set this: {}.</source>
        <translation>Das System lässt Overpaint dies nicht setzen: {}.</translation>
    </message>
</context>
<context>
    <name>SoundSettings</name>
    <message>
        <source>Microphone</source>
        <translation>Mikrofon</translation>
    </message>
    <message>
        <source>Recordings carry it, in step with the picture. It is open only while one runs, or replay is on.</source>
        <translation>Aufnahmen enthalten es, im Takt mit dem Bild. Es ist nur offen, solange eine läuft oder der Rückblick an ist.</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>Open system settings</source>
        <translation>Systemeinstellungen öffnen</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Pegel</translation>
    </message>
    <message>
        <source>Computer sound</source>
        <translation>Ton des Computers</translation>
    </message>
    <message>
        <source>Muted: recordings are silent.</source>
        <translation>Stumm: Aufnahmen sind ohne Ton.</translation>
    </message>
    <message>
        <source>Silent while private or held.</source>
        <translation>Still, solange du privat bist oder das Bild anhältst.</translation>
    </message>
    <message>
        <source>Speak: the bar should reach about two thirds.</source>
        <translation>Sprich: Der Balken sollte etwa zwei Drittel erreichen.</translation>
    </message>
    <message>
        <source>Recordings carry what the computer plays, too: a game, music, the others in a call.</source>
        <translation>Aufnahmen enthalten auch, was der Computer abspielt: ein Spiel, Musik, die anderen im Gespräch.</translation>
    </message>
    <message>
        <source>End test</source>
        <translation>Test beenden</translation>
    </message>
    <message>
        <source>The system&apos;s microphone</source>
        <translation>Mikrofon des Systems</translation>
    </message>
    <message>
        <source>Not connected: {}</source>
        <translation>Nicht angeschlossen: {}</translation>
    </message>
    <message>
        <source>No microphone</source>
        <translation>Kein Mikrofon</translation>
    </message>
</context>
<context>
    <name>SourceChooser</name>
    <message>
        <source>Opens the list of sources</source>
        <translation>Öffnet die Liste der Quellen</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Choose a source</source>
        <translation>Quelle wählen</translation>
    </message>
    <message>
        <source>Source: {}</source>
        <translation>Quelle: {}</translation>
    </message>
    <message>
        <source>Open a video or picture</source>
        <translation>Video oder Bild öffnen</translation>
    </message>
    <message>
        <source>Videos and pictures ({})</source>
        <translation>Videos und Bilder ({})</translation>
    </message>
    <message>
        <source>No camera found</source>
        <translation>Keine Kamera gefunden</translation>
    </message>
    <message>
        <source>Options of this source…</source>
        <translation>Optionen dieser Quelle…</translation>
    </message>
    <message>
        <source>Choose a window…</source>
        <translation>Fenster wählen …</translation>
    </message>
    <message>
        <source>Screens and windows…</source>
        <translation>Bildschirme und Fenster…</translation>
    </message>
    <message>
        <source>Part of the screen…</source>
        <translation>Teil des Bildschirms…</translation>
    </message>
    <message>
        <source>Network camera…</source>
        <translation>Netzwerkkamera…</translation>
    </message>
    <message>
        <source>Open a video or picture…</source>
        <translation>Video oder Bild öffnen…</translation>
    </message>
    <message>
        <source>Search again</source>
        <translation>Neu suchen</translation>
    </message>
</context>
<context>
    <name>SourceDialog</name>
    <message>
        <source>Screens and windows</source>
        <translation>Bildschirme und Fenster</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>What should be restyled?</source>
        <translation>Was soll umgemalt werden?</translation>
    </message>
    <message>
        <source>A window is captured without other windows over it. Where the desktop cannot do that, its last picture stands while it is covered.</source>
        <translation>Ein Fenster wird ohne das aufgenommen, was darüber liegt. Wo der Desktop das nicht kann, bleibt sein letztes Bild stehen, solange es verdeckt ist.</translation>
    </message>
    <message>
        <source>This system shows no windows to other programs; a screen can be chosen.</source>
        <translation>Dieses System zeigt anderen Programmen keine Fenster; ein Bildschirm lässt sich wählen.</translation>
    </message>
    <message>
        <source>{} (hidden)</source>
        <translation>{} (verborgen)</translation>
    </message>
    <message>
        <source>{} (covered)</source>
        <translation>{} (verdeckt)</translation>
    </message>
    <message>
        <source>A window that is minimised, or on another desktop, has no picture. Open it first.</source>
        <translation>Ein Fenster, das minimiert oder auf einer anderen Arbeitsfläche ist, hat kein Bild. Öffne es zuerst.</translation>
    </message>
    <message>
        <source>This desktop has no picture of a covered window: bring it to the front, or turn on the desktop&apos;s compositor.</source>
        <translation>Diese Arbeitsfläche hat kein Bild von einem verdeckten Fenster: Hole es nach vorn oder schalte den Compositor ein.</translation>
    </message>
</context>
<context>
    <name>StagePanel</name>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Mirror the preview</source>
        <translation>Vorschau spiegeln</translation>
    </message>
    <message>
        <source>Mirrors the preview only; others see you the right way round</source>
        <translation>Spiegelt nur die Vorschau; andere sehen dich seitenrichtig</translation>
    </message>
    <message>
        <source>Mirror, turn, fill, zoom and light the picture, and other options of its source</source>
        <translation>Das Bild spiegeln, drehen, füllen, vergrößern, aufhellen, und andere Optionen seiner Quelle</translation>
    </message>
    <message>
        <source>Opens the delay of the last minute</source>
        <translation>Öffnet die Verzögerung der letzten Minute</translation>
    </message>
    <message>
        <source>Original · only you see it</source>
        <translation>Original · nur du siehst es</translation>
    </message>
</context>
<context>
    <name>StyleControls</name>
    <message>
        <source>Strength of the look</source>
        <translation>Stärke des Looks</translation>
    </message>
    <message>
        <source>How strong the look is; it is written into the prompt</source>
        <translation>Wie stark der Look ist; es wird in den Prompt geschrieben</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>What is restyled: {}</source>
        <translation>Was umgemalt wird: {}</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Only the person</source>
        <translation>Nur die Person</translation>
    </message>
    <message>
        <source>Only the background</source>
        <translation>Nur der Hintergrund</translation>
    </message>
    <message>
        <source>Person</source>
        <translation>Person</translation>
    </message>
    <message>
        <source>Background</source>
        <translation>Hintergrund</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufnehmen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Freezes what the camera shows (Ctrl+H)</source>
        <translation>Hält an, was die Kamera zeigt (Strg+H)</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Privat</translation>
    </message>
    <message>
        <source>Shows you to others again (F9)</source>
        <translation>Zeigt dich anderen wieder (F9)</translation>
    </message>
    <message>
        <source>Shows others only the pause picture, at once (F9)</source>
        <translation>Zeigt anderen sofort nur das Pausenbild (F9)</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Ends the session; the camera shows the pause picture</source>
        <translation>Beendet die Sitzung; die Kamera zeigt das Pausenbild</translation>
    </message>
    <message>
        <source>Starts the preview; only you see it</source>
        <translation>Startet die Vorschau; nur du siehst sie</translation>
    </message>
    <message>
        <source>Cancel live</source>
        <translation>Live abbrechen</translation>
    </message>
    <message>
        <source>Nobody sees you yet. Cancels going live (Ctrl+L)</source>
        <translation>Noch sieht dich niemand. Bricht das Live-Gehen ab (Strg+L)</translation>
    </message>
    <message>
        <source>Nobody sees you: the virtual camera does not work. Cancels going live (Ctrl+L)</source>
        <translation>Niemand sieht dich: Die virtuelle Kamera funktioniert nicht. Bricht das Live-Gehen ab (Strg+L)</translation>
    </message>
    <message>
        <source>Recording to {}, {} so far (Ctrl+R)</source>
        <translation>Aufnahme nach {}, bisher {} (Strg+R)</translation>
    </message>
    <message>
        <source>End live</source>
        <translation>Live beenden</translation>
    </message>
    <message>
        <source>Go live</source>
        <translation>Live gehen</translation>
    </message>
    <message>
        <source>The camera shows the pause picture again (Ctrl+L)</source>
        <translation>Die Kamera zeigt wieder das Pausenbild (Strg+L)</translation>
    </message>
    <message>
        <source>Sends the restyled picture to the camera (Ctrl+L)</source>
        <translation>Schickt das umgemalte Bild an die Kamera (Strg+L)</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>Aufnahme beenden</translation>
    </message>
    <message>
        <source>Shows the side panel, or folds it away (F8)</source>
        <translation>Zeigt die Seitenleiste oder klappt sie weg (F8)</translation>
    </message>
    <message>
        <source>A session costs {} credits.</source>
        <translation>Eine Sitzung kostet {} Credits.</translation>
    </message>
    <message>
        <source>Room on the disk: {}</source>
        <translation>Platz auf dem Datenträger: {}</translation>
    </message>
    <message>
        <source>Records the restyled picture (Ctrl+R)</source>
        <translation>Nimmt das umgemalte Bild auf (Strg+R)</translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>Say how you want to look</source>
        <translation>Sag, wie du aussehen willst</translation>
    </message>
    <message>
        <source>Write it and press Enter, or click a look below. Only you see the preview.</source>
        <translation>Schreib es und drücke Enter, oder klicke unten einen Look an. Die Vorschau siehst nur du.</translation>
    </message>
    <message>
        <source>Go live when you like it</source>
        <translation>Geh live, wenn es dir gefällt</translation>
    </message>
    <message>
        <source>Others see you only from then on. Privacy hides you at once.</source>
        <translation>Erst dann sehen dich andere. „Privat“ verbirgt dich sofort.</translation>
    </message>
    <message>
        <source>Choose Overpaint&apos;s camera in your call</source>
        <translation>Wähle im Anruf die Kamera von Overpaint</translation>
    </message>
    <message>
        <source>In Zoom, Teams, Meet or OBS, in the video settings. Help is in the menu at the top.</source>
        <translation>In Zoom, Teams, Meet oder OBS, in den Videoeinstellungen. Hilfe findest du im Menü oben.</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>{} of {}</source>
        <translation>{} von {}</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>TransformIntake</name>
    <message>
        <source>Save that picture as a file first, then add the file.</source>
        <translation>Speichere das Bild erst als Datei und füge dann die Datei hinzu.</translation>
    </message>
    <message>
        <source>That picture cannot be read.</source>
        <translation>Dieses Bild lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>The picture cannot be saved in {}.</source>
        <translation>Das Bild kann in {} nicht gespeichert werden.</translation>
    </message>
</context>
<context>
    <name>TransformList</name>
    <message>
        <source>Transforms</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>What happened?</source>
        <translation>Was ist passiert?</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Save a copy…</source>
        <translation>Kopie speichern…</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Restyle again…</source>
        <translation>Noch einmal ummalen…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Do this next</source>
        <translation>Als Nächstes</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>Von der Liste nehmen</translation>
    </message>
</context>
<context>
    <name>TransformWords</name>
    <message>
        <source>ready · {}</source>
        <translation>bereit · {}</translation>
    </message>
    <message>
        <source>next in the queue</source>
        <translation>als Nächstes dran</translation>
    </message>
    <message>
        <source>{}. in the queue</source>
        <translation>{}. in der Schlange</translation>
    </message>
    <message>
        <source>done · {}</source>
        <translation>fertig · {}</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>interrupted · try it again?</source>
        <translation>unterbrochen · noch einmal?</translation>
    </message>
    <message>
        <source>starting…</source>
        <translation>beginnt…</translation>
    </message>
    <message>
        <source>sending…</source>
        <translation>wird gesendet…</translation>
    </message>
    <message>
        <source>saving…</source>
        <translation>wird gespeichert…</translation>
    </message>
    <message>
        <source>restyling…</source>
        <translation>in Arbeit…</translation>
    </message>
    <message>
        <source>{} %</source>
        <translation>{} %</translation>
    </message>
    <message>
        <source>{} s left</source>
        <translation>noch {} s</translation>
    </message>
    <message>
        <source>{} min left</source>
        <translation>noch {} min</translation>
    </message>
    <message>
        <source>may have been charged</source>
        <translation>vielleicht berechnet</translation>
    </message>
    <message>
        <source>cost nothing</source>
        <translation>kostete nichts</translation>
    </message>
    <message>
        <source>{} charged</source>
        <translation>{} berechnet</translation>
    </message>
    <message>
        <source>Overpaint ended while this was under way, too long ago to ask for it again.</source>
        <translation>Overpaint endete mitten darin, und es ist zu lange her, um noch einmal danach zu fragen.</translation>
    </message>
    <message>
        <source>Overpaint ended while this was under way, too long ago to ask for it again. It may have been charged; trying again costs {}.</source>
        <translation>Overpaint endete mitten darin, und es ist zu lange her, um noch einmal danach zu fragen. Vielleicht wurde es berechnet; ein neuer Versuch kostet {}.</translation>
    </message>
    <message>
        <source>The service had begun. Try again to fetch the result at no further cost.</source>
        <translation>Der Dienst hatte begonnen. Ein neuer Versuch holt das Ergebnis ohne weitere Kosten.</translation>
    </message>
    <message>
        <source>Saved as {}</source>
        <translation>Gespeichert als {}</translation>
    </message>
    <message>
        <source>{} was not restyled</source>
        <translation>{} wurde nicht umgemalt</translation>
    </message>
    <message>
        <source>{} was cancelled</source>
        <translation>{} wurde abgebrochen</translation>
    </message>
    <message>
        <source>{} was interrupted</source>
        <translation>{} wurde unterbrochen</translation>
    </message>
    <message>
        <source>1 credit</source>
        <translation>1 Credit</translation>
    </message>
    <message>
        <source>{} credits</source>
        <translation>{} Credits</translation>
    </message>
    <message>
        <source>1 picture</source>
        <translation>1 Bild</translation>
    </message>
    <message>
        <source>{} pictures</source>
        <translation>{} Bilder</translation>
    </message>
    <message>
        <source>1 clip</source>
        <translation>1 Clip</translation>
    </message>
    <message>
        <source>{} clips</source>
        <translation>{} Clips</translation>
    </message>
    <message>
        <source>Restyle</source>
        <translation>Ummalen</translation>
    </message>
    <message>
        <source>Restyle {}</source>
        <translation>{} ummalen</translation>
    </message>
    <message>
        <source>Restyle for {}</source>
        <translation>Ummalen: {}</translation>
    </message>
    <message>
        <source>Restyle {} for {}</source>
        <translation>{} ummalen: {}</translation>
    </message>
    <message>
        <source>The service has begun {}: its price, {}, is kept, and the result can be fetched later.</source>
        <translation>Der Dienst hat {} begonnen: Der Preis, {}, verfällt; das Ergebnis lässt sich später holen.</translation>
    </message>
    <message>
        <source>The service has begun {}: {} are kept, and the results can be fetched later.</source>
        <translation>Der Dienst hat {} begonnen: {} verfallen; die Ergebnisse lassen sich später holen.</translation>
    </message>
    <message>
        <source>Nothing is charged for {} that it has not begun.</source>
        <translation>Für {}, die er nicht begonnen hat, wird nichts berechnet.</translation>
    </message>
    <message>
        <source>{} goes on: the service had begun it. Cancel it once more to be asked about its price.</source>
        <translation>{} geht weiter: Der Dienst hatte damit begonnen. Brich noch einmal ab, um nach dem Preis gefragt zu werden.</translation>
    </message>
    <message>
        <source>Drop pictures, clips or folders
here or paste them</source>
        <translation>Bilder, Clips oder Ordner
hier ablegen oder einfügen</translation>
    </message>
    <message>
        <source>{} credits a picture, {} a clip</source>
        <translation>{} Credits je Bild, {} je Clip</translation>
    </message>
    <message>
        <source>{} is neither a picture nor a clip.</source>
        <translation>{} ist weder Bild noch Clip.</translation>
    </message>
    <message>
        <source>{} files are neither pictures nor clips ({}, …).</source>
        <translation>{} Dateien sind weder Bilder noch Clips ({}, …).</translation>
    </message>
    <message>
        <source>{} is empty: it has no content.</source>
        <translation>{} ist leer.</translation>
    </message>
    <message>
        <source>{} files are empty: they have no content ({}, …).</source>
        <translation>{} Dateien sind leer ({}, …).</translation>
    </message>
    <message>
        <source>{} were on the list already.</source>
        <translation>{} standen schon auf der Liste.</translation>
    </message>
    <message>
        <source>{} more did not fit: {} at a time.</source>
        <translation>{} weitere passten nicht: {} auf einmal.</translation>
    </message>
    <message>
        <source>{} folders may not be read.</source>
        <translation>{} Ordner dürfen nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Left out:</source>
        <translation>Ausgelassen:</translation>
    </message>
</context>
<context>
    <name>TransformsPanel</name>
    <message>
        <source>Transforms</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>Hinzufügen…</translation>
    </message>
    <message>
        <source>Adds pictures and clips (Ctrl+Shift+O); drop or paste them as well</source>
        <translation>Nimmt Bilder und Clips auf (Strg+Umschalt+O); auch ablegen oder einfügen</translation>
    </message>
    <message>
        <source>More about transforms</source>
        <translation>Mehr zu den Dateien</translation>
    </message>
    <message>
        <source>Search transforms</source>
        <translation>Dateien suchen</translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation>Nichts passt.</translation>
    </message>
    <message>
        <source>Drop or paste more</source>
        <translation>Mehr ablegen oder einfügen</translation>
    </message>
    <message>
        <source>Add pictures and clips</source>
        <translation>Bilder und Clips hinzufügen</translation>
    </message>
    <message>
        <source>Add a folder with all that is in it</source>
        <translation>Einen Ordner mit allem darin hinzufügen</translation>
    </message>
    <message>
        <source>There is no picture, clip or folder on the clipboard.</source>
        <translation>In der Zwischenablage ist kein Bild, Clip oder Ordner.</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Open the results&apos; folder</source>
        <translation>Ordner der Ergebnisse öffnen</translation>
    </message>
    <message>
        <source>How results are saved…</source>
        <translation>Wie Ergebnisse gespeichert werden…</translation>
    </message>
    <message>
        <source>Save copies of all results…</source>
        <translation>Kopien aller Ergebnisse speichern…</translation>
    </message>
    <message>
        <source>Try all failed ones again</source>
        <translation>Alles Gescheiterte noch einmal</translation>
    </message>
    <message>
        <source>Cancel everything</source>
        <translation>Alles abbrechen</translation>
    </message>
    <message>
        <source>Clear finished ones (files stay)</source>
        <translation>Fertiges ausräumen (Dateien bleiben)</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open Overpaint</source>
        <translation>Overpaint öffnen</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>End live</source>
        <translation>Live beenden</translation>
    </message>
    <message>
        <source>Cancel live</source>
        <translation>Live abbrechen</translation>
    </message>
    <message>
        <source>Go live</source>
        <translation>Live gehen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Show me again</source>
        <translation>Wieder zeigen</translation>
    </message>
    <message>
        <source>Privacy: blank the camera</source>
        <translation>Privat: nur das Pausenbild</translation>
    </message>
    <message>
        <source>Next look</source>
        <translation>Nächster Look</translation>
    </message>
    <message>
        <source>Save a snapshot</source>
        <translation>Bild speichern</translation>
    </message>
</context>
<context>
    <name>Trouble</name>
    <message>
        <source>There is no virtual camera on this computer.</source>
        <translation>Auf diesem Computer gibt es keine virtuelle Kamera.</translation>
    </message>
    <message>
        <source>On this system the virtual camera needs pyvirtualcam, which is not installed.</source>
        <translation>Auf diesem System braucht die virtuelle Kamera pyvirtualcam, das nicht installiert ist.</translation>
    </message>
    <message>
        <source>Install OBS Studio from obsproject.com, start its virtual camera once, and quit it.</source>
        <translation>Installiere OBS Studio von obsproject.com, starte einmal dessen virtuelle Kamera und beende es.</translation>
    </message>
    <message>
        <source>Join the &apos;video&apos; group, then log out and in again: sudo usermod -aG video $USER</source>
        <translation>Tritt der Gruppe video bei und melde dich neu an: sudo usermod -aG video $USER</translation>
    </message>
    <message>
        <source>Stop the virtual camera in OBS and quit other programs that feed it, then try again.</source>
        <translation>Halte die virtuelle Kamera in OBS an, beende andere Programme, die sie speisen, und versuche es noch einmal.</translation>
    </message>
    <message>
        <source>The virtual camera has failed.</source>
        <translation>Die virtuelle Kamera ist ausgefallen.</translation>
    </message>
    <message>
        <source>Close the programs that use that camera, then check again.</source>
        <translation>Schließe die Programme, die diese Kamera benutzen, und prüfe neu.</translation>
    </message>
    <message>
        <source>You may not use the camera.</source>
        <translation>Du darfst die Kamera nicht benutzen.</translation>
    </message>
    <message>
        <source>No camera is connected to this computer.</source>
        <translation>An diesem Computer ist keine Kamera angeschlossen.</translation>
    </message>
    <message>
        <source>Connect one, or use the screen or a file as the source.</source>
        <translation>Schließe eine an, oder nimm den Bildschirm oder eine Datei als Quelle.</translation>
    </message>
    <message>
        <source>Quit other programs that use it, or unplug it and plug it in again.</source>
        <translation>Beende andere Programme, die sie benutzen, oder stecke sie aus und wieder ein.</translation>
    </message>
    <message>
        <source>Plug it in again, or choose another source.</source>
        <translation>Stecke sie wieder ein, oder wähle eine andere Quelle.</translation>
    </message>
    <message>
        <source>Quit it there (a call, a browser&apos;s tab, OBS), then choose the camera again.</source>
        <translation>Beende sie dort (ein Anruf, ein Tab im Browser, OBS) und wähle die Kamera neu.</translation>
    </message>
    <message>
        <source>Unplug it and plug it in again.</source>
        <translation>Stecke sie aus und wieder ein.</translation>
    </message>
    <message>
        <source>Use a video (MP4, MOV, MKV, WebM, AVI) or a picture (JPEG, PNG, WebP).</source>
        <translation>Nimm ein Video (MP4, MOV, MKV, WebM, AVI) oder ein Bild (JPEG, PNG, WebP).</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>Prüfe den Pfad.</translation>
    </message>
    <message>
        <source>Change its rights.</source>
        <translation>Ändere ihre Rechte.</translation>
    </message>
    <message>
        <source>Use another file.</source>
        <translation>Nimm eine andere Datei.</translation>
    </message>
    <message>
        <source>Close other programs, then choose it again.</source>
        <translation>Beende andere Programme und wähle sie dann noch einmal.</translation>
    </message>
    <message>
        <source>Wait, or copy the file to another disk.</source>
        <translation>Warte, oder kopiere die Datei auf ein anderes Laufwerk.</translation>
    </message>
    <message>
        <source>There is no screen to capture here.</source>
        <translation>Hier gibt es keinen Bildschirm aufzunehmen.</translation>
    </message>
    <message>
        <source>Choose it again, or another source.</source>
        <translation>Wähle sie neu, oder eine andere Quelle.</translation>
    </message>
    <message>
        <source>Connect it again, or choose another source.</source>
        <translation>Schließe ihn wieder an, oder wähle eine andere Quelle.</translation>
    </message>
    <message>
        <source>Open it again.</source>
        <translation>Öffne es wieder.</translation>
    </message>
    <message>
        <source>Bring it to the front, or turn on your desktop&apos;s compositor.</source>
        <translation>Hole es nach vorn, oder schalte den Compositor deines Desktops ein.</translation>
    </message>
    <message>
        <source>The service closed the session.</source>
        <translation>Der Dienst hat die Sitzung geschlossen.</translation>
    </message>
    <message>
        <source>No pictures come back from the service.</source>
        <translation>Vom Dienst kommen keine Bilder zurück.</translation>
    </message>
    <message>
        <source>The service does not answer in time.</source>
        <translation>Der Dienst antwortet nicht rechtzeitig.</translation>
    </message>
    <message>
        <source>Overpaint tries again by itself.</source>
        <translation>Overpaint versucht es von selbst wieder.</translation>
    </message>
    <message>
        <source>The service closed the connection.</source>
        <translation>Der Dienst hat die Verbindung geschlossen.</translation>
    </message>
    <message>
        <source>The connection to the service was lost.</source>
        <translation>Die Verbindung zum Dienst ging verloren.</translation>
    </message>
    <message>
        <source>The service&apos;s engine is unavailable.</source>
        <translation>Die Engine des Dienstes ist nicht verfügbar.</translation>
    </message>
    <message>
        <source>Check the address, and that the service runs.</source>
        <translation>Prüfe die Adresse, und ob der Dienst läuft.</translation>
    </message>
    <message>
        <source>Install the certificate of its authority, or name its file in SSL_CERT_FILE.</source>
        <translation>Installiere das Zertifikat seiner Stelle, oder nenne dessen Datei in SSL_CERT_FILE.</translation>
    </message>
    <message>
        <source>The service core does not start.</source>
        <translation>Der Dienst auf diesem Computer startet nicht.</translation>
    </message>
    <message>
        <source>Check the API key.</source>
        <translation>Prüfe den API-Schlüssel.</translation>
    </message>
    <message>
        <source>There is no picture to save now.</source>
        <translation>Jetzt gibt es kein Bild zu speichern.</translation>
    </message>
    <message>
        <source>Start the preview first.</source>
        <translation>Starte erst die Vorschau.</translation>
    </message>
    <message>
        <source>Choose another folder in the settings.</source>
        <translation>Wähle in den Einstellungen einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The reference photo is larger than 8 MB.</source>
        <translation>Das Referenzfoto ist größer als 8 MB.</translation>
    </message>
    <message>
        <source>Use a smaller one.</source>
        <translation>Nimm ein kleineres.</translation>
    </message>
    <message>
        <source>The original can be shown only while the preview runs.</source>
        <translation>Das Original lässt sich nur zeigen, während die Vorschau läuft.</translation>
    </message>
    <message>
        <source>Start it first.</source>
        <translation>Starte sie erst.</translation>
    </message>
    <message>
        <source>Choose another pause picture in the settings.</source>
        <translation>Wähle in den Einstellungen ein anderes Pausenbild.</translation>
    </message>
    <message>
        <source>Choose another in the settings.</source>
        <translation>Wähle in den Einstellungen ein anderes.</translation>
    </message>
    <message>
        <source>Nothing was recorded: the disk is full.</source>
        <translation>Nichts wurde aufgenommen: Der Datenträger ist voll.</translation>
    </message>
    <message>
        <source>Nothing was recorded: no picture came.</source>
        <translation>Nichts wurde aufgenommen: Es kam kein Bild.</translation>
    </message>
    <message>
        <source>Free some room, or record to another folder.</source>
        <translation>Schaffe Platz, oder nimm in einen anderen Ordner auf.</translation>
    </message>
    <message>
        <source>Record to another file.</source>
        <translation>Nimm in eine andere Datei auf.</translation>
    </message>
    <message>
        <source>Look where it was moved to.</source>
        <translation>Sieh nach, wohin sie verschoben wurde.</translation>
    </message>
    <message>
        <source>Name another folder.</source>
        <translation>Nenne einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Take another combination.</source>
        <translation>Nimm eine andere Kombination.</translation>
    </message>
    <message>
        <source>Add Ctrl, Alt or Meta.</source>
        <translation>Nimm Strg, Alt oder Meta dazu.</translation>
    </message>
    <message>
        <source>OBS may still have the former address of its page, which is not used any more.</source>
        <translation>OBS hat vielleicht noch die frühere Adresse seiner Seite, die nicht mehr benutzt wird.</translation>
    </message>
    <message>
        <source>Copy the address and paste it as URL into the browser source.</source>
        <translation>Die Adresse kopieren und als URL in die Browserquelle einfügen.</translation>
    </message>
    <message>
        <source>Use https://. Where the whole way is yours, allow it: --allow-http, or Service in the app.</source>
        <translation>Nimm https://. Wo der ganze Weg deiner ist, lass es zu: --allow-http, oder „Dienst“ in der App.</translation>
    </message>
    <message>
        <source>Make room there, and turn the page off and on again.</source>
        <translation>Dort Platz schaffen und die Seite aus- und wieder einschalten.</translation>
    </message>
    <message>
        <source>The page for OBS has failed.</source>
        <translation>Die Seite für OBS ist ausgefallen.</translation>
    </message>
    <message>
        <source>The picture is damaged.</source>
        <translation>Das Bild ist beschädigt.</translation>
    </message>
    <message>
        <source>The video is damaged.</source>
        <translation>Das Video ist beschädigt.</translation>
    </message>
    <message>
        <source>The video is damaged: it ends too early.</source>
        <translation>Das Video ist beschädigt: Es endet zu früh.</translation>
    </message>
    <message>
        <source>The video is longer than 10 minutes.</source>
        <translation>Das Video ist länger als 10 Minuten.</translation>
    </message>
    <message>
        <source>The video is in a format that cannot be read.</source>
        <translation>Das Video hat ein Format, das sich nicht lesen lässt.</translation>
    </message>
    <message>
        <source>Turn it off and on again.</source>
        <translation>Schalte sie aus und wieder ein.</translation>
    </message>
    <message>
        <source>Make one: {command}</source>
        <translation>Lege eine an: {command}</translation>
    </message>
    <message>
        <source>Set it up once: {command}</source>
        <translation>Einmal einrichten: {command}</translation>
    </message>
    <message>
        <source>Secure Boot is on: enrol the driver&apos;s key when the installation asks. Set it up once: {command}</source>
        <translation>Secure Boot ist an: Hinterlege den Schlüssel des Treibers, wenn die Installation danach fragt. Einmal einrichten: {command}</translation>
    </message>
    <message>
        <source>The virtual camera cannot be opened: {reason}.</source>
        <translation>Die virtuelle Kamera lässt sich nicht öffnen: {reason}.</translation>
    </message>
    <message>
        <source>Quit that program (sudo fuser -v {node} names it), then try again.</source>
        <translation>Beende dieses Programm (sudo fuser -v {node} nennt es) und versuche es noch einmal.</translation>
    </message>
    <message>
        <source>You may not use the virtual camera {camera}.</source>
        <translation>Du darfst die virtuelle Kamera {camera} nicht benutzen.</translation>
    </message>
    <message>
        <source>The virtual camera {camera} does not open again ({reason}).</source>
        <translation>Die virtuelle Kamera {camera} lässt sich nicht wieder öffnen ({reason}).</translation>
    </message>
    <message>
        <source>Load its driver again: {command}</source>
        <translation>Lade den Treiber neu: {command}</translation>
    </message>
    <message>
        <source>The virtual camera {camera} cannot be opened: {reason}.</source>
        <translation>Die virtuelle Kamera {camera} lässt sich nicht öffnen: {reason}.</translation>
    </message>
    <message>
        <source>Quit the program that uses it (sudo fuser -v {node} names it), then try again.</source>
        <translation>Beende das Programm, das sie benutzt (sudo fuser -v {node} nennt es), und versuche es noch einmal.</translation>
    </message>
    <message>
        <source>The virtual camera {camera} is gone: pictures no longer reach it.</source>
        <translation>Die virtuelle Kamera {camera} ist fort: Bilder erreichen sie nicht mehr.</translation>
    </message>
    <message>
        <source>Load it again: {command}</source>
        <translation>Lade ihn neu: {command}</translation>
    </message>
    <message>
        <source>The recording {file} was moved, removed or changed while it was written.</source>
        <translation>Die Aufnahme {file} wurde verschoben, gelöscht oder verändert, während sie geschrieben wurde.</translation>
    </message>
    <message>
        <source>The disk is full: the recording {file} ends here; what was recorded can be played.</source>
        <translation>Der Datenträger ist voll: Die Aufnahme {file} endet hier; was aufgenommen ist, lässt sich abspielen.</translation>
    </message>
    <message>
        <source>{path} may not be written.</source>
        <translation>{path} darf nicht beschrieben werden.</translation>
    </message>
    <message>
        <source>The recording {file} cannot be written: {reason}.</source>
        <translation>Die Aufnahme {file} lässt sich nicht schreiben: {reason}.</translation>
    </message>
    <message>
        <source>There is no file {path}.</source>
        <translation>Es gibt keine Datei {path}.</translation>
    </message>
    <message>
        <source>Name camera, camera:N, screen, screen:N, window:TITLE, demo, a media file, or the address of a network camera (rtsp://…, http://…).</source>
        <translation>Nenne camera, camera:N, screen, screen:N, window:TITEL, demo, eine Mediendatei oder die Adresse einer Netzwerkkamera (rtsp://…, http://…).</translation>
    </message>
    <message>
        <source>Install its certificate on this computer, or name its file in SSL_CERT_FILE. In a network that you trust wholly, rtsp:// or http:// does, too.</source>
        <translation>Installiere ihr Zertifikat auf diesem Computer, oder nenne seine Datei in SSL_CERT_FILE. In einem Netz, dem du ganz vertraust, geht auch rtsp:// oder http://.</translation>
    </message>
    <message>
        <source>Set it to H.264, H.265 or MJPEG by RTSP over TCP, or to MJPEG by HTTP.</source>
        <translation>Stelle sie auf H.264, H.265 oder MJPEG über RTSP mit TCP, oder auf MJPEG über HTTP.</translation>
    </message>
    <message>
        <source>{camera} sends no pictures.</source>
        <translation>{camera} sendet keine Bilder.</translation>
    </message>
    <message>
        <source>There is no virtual camera on this computer: its driver, v4l2loopback, is not installed.</source>
        <translation>Auf diesem Computer gibt es keine virtuelle Kamera: Der Treiber v4l2loopback ist nicht installiert.</translation>
    </message>
    <message>
        <source>It comes from RPM Fusion, a package source that has to be added first. Set it up once: {command}</source>
        <translation>Er kommt von RPM Fusion, einer Paketquelle, die erst hinzugefügt werden muss. Richte ihn einmal ein: {command}</translation>
    </message>
    <message>
        <source>Install v4l2loopback by this system&apos;s package manager, then load it at each start: {command}</source>
        <translation>Installiere v4l2loopback mit der Paketverwaltung dieses Systems und lass es bei jedem Start laden: {command}</translation>
    </message>
    <message>
        <source>There is no virtual camera on this computer: its driver is not built for the running kernel ({kernel}).</source>
        <translation>Auf diesem Computer gibt es keine virtuelle Kamera: Ihr Treiber ist nicht für den laufenden Kernel ({kernel}) gebaut.</translation>
    </message>
    <message>
        <source>Build it: {command}</source>
        <translation>Baue ihn: {command}</translation>
    </message>
    <message>
        <source>There is no virtual camera on this computer: its driver is not built for the running kernel ({kernel}), whose headers are missing.</source>
        <translation>Auf diesem Computer gibt es keine virtuelle Kamera: Ihr Treiber ist nicht für den laufenden Kernel ({kernel}) gebaut, dessen Header fehlen.</translation>
    </message>
    <message>
        <source>Install them: {command}</source>
        <translation>Installiere sie: {command}</translation>
    </message>
    <message>
        <source>There is no virtual camera on this computer: its driver is installed, but not loaded.</source>
        <translation>Auf diesem Computer gibt es keine virtuelle Kamera: Ihr Treiber ist installiert, aber nicht geladen.</translation>
    </message>
    <message>
        <source>Load it now and at each start: {command}</source>
        <translation>Lade ihn jetzt und bei jedem Start: {command}</translation>
    </message>
    <message>
        <source>Secure Boot is on, and may refuse it until its key is enrolled. Load it now and at each start: {command}</source>
        <translation>Secure Boot ist an und weist ihn vielleicht ab, bis sein Schlüssel eingetragen ist. Lade ihn jetzt und bei jedem Start: {command}</translation>
    </message>
    <message>
        <source>Secure Boot refuses the virtual camera&apos;s driver, because its key is not enrolled.</source>
        <translation>Secure Boot weist den Treiber der virtuellen Kamera ab, weil sein Schlüssel nicht eingetragen ist.</translation>
    </message>
    <message>
        <source>Enrol it with a password of your choice, restart, and confirm it (Enroll MOK) with that password: {command}</source>
        <translation>Trage ihn mit einem Passwort deiner Wahl ein, starte neu und bestätige ihn dabei (Enroll MOK) mit diesem Passwort: {command}</translation>
    </message>
    <message>
        <source>There is no virtual camera until the computer is restarted: its kernel was updated.</source>
        <translation>Bis zum Neustart des Computers gibt es keine virtuelle Kamera: Sein Kernel wurde aktualisiert.</translation>
    </message>
    <message>
        <source>Restart the computer.</source>
        <translation>Starte den Computer neu.</translation>
    </message>
    <message>
        <source>Use the page for OBS, or run Overpaint on the computer itself.</source>
        <translation>Nimm die Seite für OBS, oder starte Overpaint auf dem Computer selbst.</translation>
    </message>
    <message>
        <source>Install OBS Studio 30 or later from obsproject.com, press Start Virtual Camera there, allow its camera extension in System Settings (General, Login Items &amp; Extensions), stop it, and quit OBS.</source>
        <translation>Installiere OBS Studio 30 oder neuer von obsproject.com, drücke dort auf „Virtuelle Kamera starten“, erlaube die Kameraerweiterung in den Systemeinstellungen (Allgemein, Anmeldeobjekte &amp; Erweiterungen), stoppe sie und beende OBS.</translation>
    </message>
    <message>
        <source>A recording is an MP4 or MKV file, not {file}.</source>
        <translation>Eine Aufnahme ist eine MP4- oder MKV-Datei, nicht {file}.</translation>
    </message>
    <message>
        <source>Name a file that ends in .mp4 or .mkv.</source>
        <translation>Nenne eine Datei, die auf .mp4 oder .mkv endet.</translation>
    </message>
    <message>
        <source>Name a file in it.</source>
        <translation>Gib eine Datei darin an.</translation>
    </message>
    <message>
        <source>{path} may not be read.</source>
        <translation>{path} darf nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Check its permissions.</source>
        <translation>Prüfe ihre Rechte.</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}).</source>
        <translation>{path} ist nicht lesbar ({reason}).</translation>
    </message>
    <message>
        <source>{file} is empty.</source>
        <translation>{file} ist leer.</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>Wähle eine andere Datei.</translation>
    </message>
    <message>
        <source>{file} is larger than 1 GB.</source>
        <translation>{file} ist größer als 1 GB.</translation>
    </message>
    <message>
        <source>{file} is neither a picture nor a clip ({type}).</source>
        <translation>{file} ist weder ein Bild noch ein Clip ({type}).</translation>
    </message>
    <message>
        <source>The service could not restyle this file.</source>
        <translation>Der Dienst konnte diese Datei nicht ummalen.</translation>
    </message>
    <message>
        <source>There is no room for {path}.</source>
        <translation>Für {path} ist kein Platz.</translation>
    </message>
    <message>
        <source>Free some space.</source>
        <translation>Schaffe Platz.</translation>
    </message>
    <message>
        <source>Make it first.</source>
        <translation>Lege ihn zuerst an.</translation>
    </message>
    <message>
        <source>Choose another place.</source>
        <translation>Wähle einen anderen Ort.</translation>
    </message>
    <message>
        <source>{path} cannot be written ({reason}).</source>
        <translation>{path} ist nicht zu schreiben ({reason}).</translation>
    </message>
    <message>
        <source>“{text}” is not the address of a service.</source>
        <translation>„{text}“ ist keine Adresse eines Dienstes.</translation>
    </message>
    <message>
        <source>Type it like https://example.org</source>
        <translation>Schreibe sie wie https://example.org</translation>
    </message>
    <message>
        <source>Nobody answers at {address}.</source>
        <translation>Unter {address} antwortet niemand.</translation>
    </message>
    <message>
        <source>{address} does not answer in time.</source>
        <translation>{address} antwortet nicht rechtzeitig.</translation>
    </message>
    <message>
        <source>What answers at {host} is not an Overpaint service.</source>
        <translation>Was unter {host} antwortet, ist kein Dienst von Overpaint.</translation>
    </message>
    <message>
        <source>{host} shows a certificate that this computer does not trust ({reason}).</source>
        <translation>{host} zeigt ein Zertifikat, dem dieser Computer nicht traut ({reason}).</translation>
    </message>
    <message>
        <source>The API key has characters that no key has.</source>
        <translation>Der API-Schlüssel hat Zeichen, die kein Schlüssel hat.</translation>
    </message>
    <message>
        <source>Wait a moment.</source>
        <translation>Warte einen Moment.</translation>
    </message>
    <message>
        <source>{host} answered with status {status}.</source>
        <translation>{host} antwortete mit Status {status}.</translation>
    </message>
    <message>
        <source>The session&apos;s secret is unknown to the service.</source>
        <translation>Der Dienst kennt das Geheimnis der Sitzung nicht.</translation>
    </message>
    <message>
        <source>The session has expired.</source>
        <translation>Die Sitzung ist abgelaufen.</translation>
    </message>
    <message>
        <source>The session was closed.</source>
        <translation>Die Sitzung wurde geschlossen.</translation>
    </message>
    <message>
        <source>The service&apos;s answer to the offer is not WHIP or WHEP.</source>
        <translation>Die Antwort des Dienstes auf das Angebot ist nicht WHIP oder WHEP.</translation>
    </message>
    <message>
        <source>There is no file {source}.</source>
        <translation>Es gibt keine Datei {source}.</translation>
    </message>
    <message>
        <source>There is no camera {number} on this computer.</source>
        <translation>Auf diesem Computer gibt es keine Kamera {number}.</translation>
    </message>
    <message>
        <source>Choose one of these: {choices}.</source>
        <translation>Wähle eine von diesen: {choices}.</translation>
    </message>
    <message>
        <source>{camera} opens but gives no picture.</source>
        <translation>{camera} öffnet sich, gibt aber kein Bild.</translation>
    </message>
    <message>
        <source>{camera} gives no pictures any more.</source>
        <translation>{camera} gibt keine Bilder mehr.</translation>
    </message>
    <message>
        <source>{camera} does not open: {reason}.</source>
        <translation>{camera} öffnet sich nicht: {reason}.</translation>
    </message>
    <message>
        <source>{camera} was unplugged.</source>
        <translation>{camera} wurde ausgesteckt.</translation>
    </message>
    <message>
        <source>Another program is using {camera}.</source>
        <translation>Ein anderes Programm benutzt {camera}.</translation>
    </message>
    <message>
        <source>There is no screen {number} on this computer.</source>
        <translation>Auf diesem Computer gibt es keinen Bildschirm {number}.</translation>
    </message>
    <message>
        <source>{screen} was disconnected.</source>
        <translation>{screen} wurde getrennt.</translation>
    </message>
    <message>
        <source>{source} gives no picture.</source>
        <translation>{source} gibt kein Bild.</translation>
    </message>
    <message>
        <source>{source} cannot be captured: {reason}.</source>
        <translation>{source} lässt sich nicht aufnehmen: {reason}.</translation>
    </message>
    <message>
        <source>There is no window called “{window}”.</source>
        <translation>Es gibt kein Fenster namens „{window}“.</translation>
    </message>
    <message>
        <source>The window “{window}” was closed.</source>
        <translation>Das Fenster „{window}“ wurde geschlossen.</translation>
    </message>
    <message>
        <source>The window “{window}” is minimised: its last picture stands.</source>
        <translation>Das Fenster „{window}“ ist minimiert: Sein letztes Bild bleibt stehen.</translation>
    </message>
    <message>
        <source>The window “{window}” is covered, or partly outside the screen: there is no new picture of it.</source>
        <translation>Das Fenster „{window}“ ist verdeckt oder ragt über den Bildschirm hinaus: Es gibt kein neues Bild davon.</translation>
    </message>
    <message>
        <source>{file} may not be read.</source>
        <translation>{file} darf nicht gelesen werden.</translation>
    </message>
    <message>
        <source>{file} takes more memory to play than is allowed.</source>
        <translation>{file} braucht zum Abspielen mehr Speicher als erlaubt ist.</translation>
    </message>
    <message>
        <source>{file} is too large to be played.</source>
        <translation>{file} ist zu groß zum Abspielen.</translation>
    </message>
    <message>
        <source>{file} takes too long to open.</source>
        <translation>{file} braucht zu lange zum Öffnen.</translation>
    </message>
    <message>
        <source>The disk is too slow for {file}: its last picture stands.</source>
        <translation>Das Laufwerk ist zu langsam für {file}: Das letzte Bild bleibt stehen.</translation>
    </message>
    <message>
        <source>{file} cannot be played: its decoder crashes.</source>
        <translation>{file} lässt sich nicht abspielen: Der Decoder stürzt daran ab.</translation>
    </message>
    <message>
        <source>{file} is not a video or picture that Overpaint can read.</source>
        <translation>{file} ist kein Video oder Bild, das Overpaint lesen kann.</translation>
    </message>
    <message>
        <source>No process can be started to play {file}: {reason}.</source>
        <translation>Zum Abspielen von {file} lässt sich kein Prozess starten: {reason}.</translation>
    </message>
    <message>
        <source>{source} is a folder.</source>
        <translation>{source} ist ein Ordner.</translation>
    </message>
    <message>
        <source>Name a video or picture file in it.</source>
        <translation>Nenne eine Video- oder Bilddatei darin.</translation>
    </message>
    <message>
        <source>The pictures come in a layout that Overpaint does not read ({layout}).</source>
        <translation>Die Bilder kommen in einem Format, das Overpaint nicht liest ({layout}).</translation>
    </message>
    <message>
        <source>Allow it in System Settings, Privacy &amp; Security, Camera.</source>
        <translation>Erlaube es in den Systemeinstellungen unter Datenschutz &amp; Sicherheit, Kamera.</translation>
    </message>
    <message>
        <source>Allow it in Settings, Privacy &amp; security, Camera.</source>
        <translation>Erlaube es in den Einstellungen unter Datenschutz und Sicherheit, Kamera.</translation>
    </message>
    <message>
        <source>No microphone is connected to this computer.</source>
        <translation>An diesen Computer ist kein Mikrofon angeschlossen.</translation>
    </message>
    <message>
        <source>Connect one, or record without sound.</source>
        <translation>Schließe eines an, oder nimm ohne Ton auf.</translation>
    </message>
    <message>
        <source>There is no microphone called “{microphone}”.</source>
        <translation>Es gibt kein Mikrofon namens „{microphone}“.</translation>
    </message>
    <message>
        <source>Overpaint may not use the microphone.</source>
        <translation>Overpaint darf das Mikrofon nicht benutzen.</translation>
    </message>
    <message>
        <source>Allow it in the system&apos;s privacy settings, under Microphone.</source>
        <translation>Erlaube es in den Datenschutz-Einstellungen des Systems, unter Mikrofon.</translation>
    </message>
    <message>
        <source>Allow it in System Settings, Privacy &amp; Security, Microphone, then start Overpaint again.</source>
        <translation>Erlaube es in den Systemeinstellungen unter Datenschutz &amp; Sicherheit, Mikrofon, und starte Overpaint neu.</translation>
    </message>
    <message>
        <source>{microphone} does not open: another program may hold it.</source>
        <translation>{microphone} lässt sich nicht öffnen: Vielleicht benutzt es ein anderes Programm.</translation>
    </message>
    <message>
        <source>Quit it there, or choose another.</source>
        <translation>Beende es dort, oder wähle ein anderes.</translation>
    </message>
    <message>
        <source>{microphone} gives no sound any more.</source>
        <translation>{microphone} liefert keinen Ton mehr.</translation>
    </message>
    <message>
        <source>{microphone} was unplugged.</source>
        <translation>{microphone} wurde abgezogen.</translation>
    </message>
    <message>
        <source>Plug it in again, or choose another microphone.</source>
        <translation>Schließe es wieder an, oder wähle ein anderes Mikrofon.</translation>
    </message>
    <message>
        <source>This computer&apos;s sound server does not answer.</source>
        <translation>Der Tondienst dieses Computers antwortet nicht.</translation>
    </message>
    <message>
        <source>Start PipeWire or PulseAudio again, or record without sound.</source>
        <translation>Starte PipeWire oder PulseAudio neu, oder nimm ohne Ton auf.</translation>
    </message>
    <message>
        <source>What the computer plays cannot be recorded now.</source>
        <translation>Was der Computer abspielt, lässt sich gerade nicht aufnehmen.</translation>
    </message>
    <message>
        <source>Choose an output in the system&apos;s sound settings.</source>
        <translation>Wähle in den Toneinstellungen des Systems eine Ausgabe.</translation>
    </message>
    <message>
        <source>What the computer plays is not recorded any more: its output is gone.</source>
        <translation>Was der Computer abspielt, wird nicht mehr aufgenommen: Die Ausgabe ist weg.</translation>
    </message>
    <message>
        <source>Overpaint cannot yet record what Windows plays by itself.</source>
        <translation>Was Windows abspielt, kann Overpaint noch nicht selbst aufnehmen.</translation>
    </message>
    <message>
        <source>Switch “Stereo Mix” on in the system&apos;s sound settings, where the sound card has it, and choose it as the microphone.</source>
        <translation>Schalte in den Toneinstellungen „Stereomix“ ein, wenn die Soundkarte ihn hat, und wähle ihn als Mikrofon.</translation>
    </message>
    <message>
        <source>Overpaint cannot yet record what macOS plays by itself.</source>
        <translation>Was macOS abspielt, kann Overpaint noch nicht selbst aufnehmen.</translation>
    </message>
    <message>
        <source>Install a sound driver such as BlackHole, and choose it as the microphone.</source>
        <translation>Installiere einen Tontreiber wie BlackHole, und wähle ihn als Mikrofon.</translation>
    </message>
    <message>
        <source>What the computer plays can only be recorded with PipeWire or PulseAudio.</source>
        <translation>Was der Computer abspielt, lässt sich nur mit PipeWire oder PulseAudio aufnehmen.</translation>
    </message>
    <message>
        <source>Install libpulse0 (on Fedora pulseaudio-libs), then start Overpaint again.</source>
        <translation>Installiere libpulse0 (unter Fedora pulseaudio-libs), und starte Overpaint neu.</translation>
    </message>
    <message>
        <source>This is not the address of a network camera.</source>
        <translation>Das ist keine Adresse einer Netzwerkkamera.</translation>
    </message>
    <message>
        <source>It begins with rtsp://, rtsps://, http:// or https://, then the camera&apos;s name or IP address.</source>
        <translation>Sie beginnt mit rtsp://, rtsps://, http:// oder https://, dann folgt der Name oder die IP-Adresse der Kamera.</translation>
    </message>
    <message>
        <source>There is no {camera} in the network.</source>
        <translation>{camera} gibt es im Netzwerk nicht.</translation>
    </message>
    <message>
        <source>Check the name in the camera&apos;s address.</source>
        <translation>Prüfe den Namen in der Adresse der Kamera.</translation>
    </message>
    <message>
        <source>{camera} does not answer.</source>
        <translation>{camera} antwortet nicht.</translation>
    </message>
    <message>
        <source>Check that it is on, in the same network, and that the address and port are right.</source>
        <translation>Prüfe, ob sie eingeschaltet und im selben Netzwerk ist und ob Adresse und Port stimmen.</translation>
    </message>
    <message>
        <source>Nobody vouches for the certificate of {camera}.</source>
        <translation>Für das Zertifikat von {camera} bürgt niemand.</translation>
    </message>
    <message>
        <source>{camera} asks for a user name and a password, or refuses these.</source>
        <translation>{camera} fragt nach Benutzername und Passwort oder lehnt diese ab.</translation>
    </message>
    <message>
        <source>Enter those of the camera under “Network camera…”.</source>
        <translation>Gib die der Kamera unter „Netzwerkkamera …“ ein.</translation>
    </message>
    <message>
        <source>{camera} has no video at this address.</source>
        <translation>{camera} hat unter dieser Adresse kein Video.</translation>
    </message>
    <message>
        <source>Check the part of the address after the name; it is in the camera&apos;s manual or app.</source>
        <translation>Prüfe den Teil der Adresse nach dem Namen; er steht in der Anleitung oder App der Kamera.</translation>
    </message>
    <message>
        <source>{camera} refuses to send its video.</source>
        <translation>{camera} weigert sich, ihr Video zu senden.</translation>
    </message>
    <message>
        <source>Close other programs that watch it, or restart the camera.</source>
        <translation>Schließe andere Programme, die sie zeigen, oder starte die Kamera neu.</translation>
    </message>
    <message>
        <source>{camera} sends no video that Overpaint can read.</source>
        <translation>{camera} sendet kein Video, das Overpaint lesen kann.</translation>
    </message>
    <message>
        <source>Check the network; it is tried again by itself.</source>
        <translation>Prüfe das Netzwerk; es wird von selbst wieder versucht.</translation>
    </message>
    <message>
        <source>{camera} sends no new pictures: its last one stands.</source>
        <translation>{camera} sendet keine neuen Bilder: Das letzte bleibt stehen.</translation>
    </message>
    <message>
        <source>Check the network.</source>
        <translation>Prüfe das Netzwerk.</translation>
    </message>
    <message>
        <source>{camera} has ended the connection.</source>
        <translation>{camera} hat die Verbindung beendet.</translation>
    </message>
    <message>
        <source>Check the camera; it is tried again by itself.</source>
        <translation>Prüfe die Kamera; es wird von selbst wieder versucht.</translation>
    </message>
    <message>
        <source>The pictures of {camera} cannot be decoded.</source>
        <translation>Die Bilder von {camera} lassen sich nicht dekodieren.</translation>
    </message>
    <message>
        <source>Choose another format in the camera&apos;s settings.</source>
        <translation>Wähle ein anderes Format in den Einstellungen der Kamera.</translation>
    </message>
    <message>
        <source>{camera} is in use.</source>
        <translation>{camera} ist in Gebrauch.</translation>
    </message>
    <message>
        <source>Choose another source, then forget it under “Network camera…”.</source>
        <translation>Wähle eine andere Quelle, dann vergiss sie unter „Netzwerkkamera …“.</translation>
    </message>
    <message>
        <source>{camera} cannot be forgotten: the keyring with its password is missing, locked, or does not answer.</source>
        <translation>{camera} kann nicht vergessen werden: Der Schlüsselbund mit ihrem Passwort fehlt, ist gesperrt oder antwortet nicht.</translation>
    </message>
    <message>
        <source>Unlock the keyring, then try again.</source>
        <translation>Entsperre den Schlüsselbund und versuche es noch einmal.</translation>
    </message>
    <message>
        <source>The password of {camera} cannot be stored: this computer&apos;s keyring is missing, locked, or does not answer.</source>
        <translation>Das Passwort von {camera} lässt sich nicht speichern: Der Schlüsselbund dieses Computers fehlt, ist gesperrt oder antwortet nicht.</translation>
    </message>
    <message>
        <source>Unlock the keyring. Until Overpaint ends, the camera can be used without it.</source>
        <translation>Entsperre den Schlüsselbund. Bis Overpaint endet, geht die Kamera auch ohne ihn.</translation>
    </message>
    <message>
        <source>Run Overpaint in a desktop session.</source>
        <translation>Starte Overpaint in einer Desktop-Sitzung.</translation>
    </message>
    <message>
        <source>Run Overpaint in a desktop session, or on a virtual display: xvfb-run overpaint …</source>
        <translation>Starte Overpaint in einer Desktop-Sitzung oder auf einem virtuellen Bildschirm: xvfb-run overpaint …</translation>
    </message>
    <message>
        <source>Allow the capture when the system asks for it.</source>
        <translation>Erlaube die Aufnahme, wenn das System danach fragt.</translation>
    </message>
    <message>
        <source>Overpaint may not record the screen.</source>
        <translation>Overpaint darf den Bildschirm nicht aufnehmen.</translation>
    </message>
    <message>
        <source>Allow it in System Settings, Privacy &amp; Security, Screen &amp; System Audio Recording, then start Overpaint again.</source>
        <translation>Erlaube es in den Systemeinstellungen unter Datenschutz &amp; Sicherheit, Bildschirm- &amp; Systemaudioaufnahme, und starte Overpaint dann neu.</translation>
    </message>
    <message>
        <source>Allow it in System Settings, Privacy &amp; Security, Screen Recording, and start Overpaint again.</source>
        <translation>Erlaube es in den Systemeinstellungen unter Datenschutz &amp; Sicherheit, Bildschirmaufnahme, und starte Overpaint neu.</translation>
    </message>
    <message>
        <source>{source} cannot be captured: the system refuses.</source>
        <translation>{source} lässt sich nicht aufnehmen: Das System verweigert es.</translation>
    </message>
    <message>
        <source>You have not allowed the capture of {source}.</source>
        <translation>Du hast die Aufnahme von {source} nicht erlaubt.</translation>
    </message>
    <message>
        <source>Choose it again, and allow it in the desktop&apos;s dialog.</source>
        <translation>Wähle es noch einmal und erlaube es im Dialog des Desktops.</translation>
    </message>
    <message>
        <source>The desktop has ended the capture of {source}, or its window was closed.</source>
        <translation>Der Desktop hat die Aufnahme von {source} beendet, oder das Fenster wurde geschlossen.</translation>
    </message>
    <message>
        <source>The desktop&apos;s dialog gave another screen than {screen}.</source>
        <translation>Der Dialog des Desktops hat einen anderen Bildschirm als {screen} ergeben.</translation>
    </message>
    <message>
        <source>Choose it again, and the same screen in that dialog.</source>
        <translation>Wähle ihn noch einmal, und in jenem Dialog denselben Bildschirm.</translation>
    </message>
    <message>
        <source>Choose it again; if that does not help, log out and in again, which restarts PipeWire.</source>
        <translation>Wähle es noch einmal; hilft das nicht, melde dich ab und wieder an: das startet PipeWire neu.</translation>
    </message>
    <message>
        <source>{source} gives no picture until something changes on it.</source>
        <translation>{source} liefert kein Bild, bis sich darauf etwas ändert.</translation>
    </message>
    <message>
        <source>Move a window there.</source>
        <translation>Bewege dort ein Fenster.</translation>
    </message>
    <message>
        <source>The desktop cannot be asked for its screen: this session has no D-Bus.</source>
        <translation>Der Desktop kann nicht nach seinem Bildschirm gefragt werden: Diese Sitzung hat keinen D-Bus.</translation>
    </message>
    <message>
        <source>Start Overpaint from the desktop, not from a bare terminal or as another user.</source>
        <translation>Starte Overpaint vom Desktop aus, nicht von einem bloßen Terminal oder als anderer Benutzer.</translation>
    </message>
    <message>
        <source>This desktop has no portal that gives programs its screen.</source>
        <translation>Dieser Desktop hat kein Portal, das Programmen seinen Bildschirm gibt.</translation>
    </message>
    <message>
        <source>Install xdg-desktop-portal and its part for your desktop (xdg-desktop-portal-gnome, -kde or -wlr), then log out and in again.</source>
        <translation>Installiere xdg-desktop-portal und dessen Teil für deinen Desktop (xdg-desktop-portal-gnome, -kde oder -wlr), dann melde dich ab und wieder an.</translation>
    </message>
    <message>
        <source>This desktop gives programs whole screens only, no windows.</source>
        <translation>Dieser Desktop gibt Programmen nur ganze Bildschirme, keine Fenster.</translation>
    </message>
    <message>
        <source>Use a screen, or a part of one.</source>
        <translation>Nimm einen Bildschirm oder einen Teil davon.</translation>
    </message>
    <message>
        <source>The desktop&apos;s portal does not give its screen: {reason}.</source>
        <translation>Das Portal des Desktops gibt seinen Bildschirm nicht: {reason}.</translation>
    </message>
    <message>
        <source>Log out and in again.</source>
        <translation>Melde dich ab und wieder an.</translation>
    </message>
    <message>
        <source>PipeWire, which carries the pictures of screens, does not answer.</source>
        <translation>PipeWire, das die Bilder von Bildschirmen überträgt, antwortet nicht.</translation>
    </message>
    <message>
        <source>Install pipewire and libpipewire-0.3-0, then log out and in again.</source>
        <translation>Installiere pipewire und libpipewire-0.3-0, dann melde dich ab und wieder an.</translation>
    </message>
    <message>
        <source>Open it, or choose one of these: {choices}.</source>
        <translation>Öffne es, oder wähle eines von diesen: {choices}.</translation>
    </message>
    <message>
        <source>Open it, or capture the screen.</source>
        <translation>Öffne es, oder nimm den Bildschirm auf.</translation>
    </message>
    <message>
        <source>It was stopped.</source>
        <translation>Die Wiedergabe wurde angehalten.</translation>
    </message>
    <message>
        <source>There is no virtual camera called {camera} on this computer.</source>
        <translation>Auf diesem Computer gibt es keine virtuelle Kamera namens {camera}.</translation>
    </message>
    <message>
        <source>There can be no virtual camera here: this system loads no drivers (a container, or WSL).</source>
        <translation>Hier kann es keine virtuelle Kamera geben: Dieses System lädt keine Treiber (ein Container oder WSL).</translation>
    </message>
    <message>
        <source>PipeWire&apos;s library is not installed, so Overpaint cannot have a camera in PipeWire.</source>
        <translation>Die Bibliothek von PipeWire ist nicht installiert; deshalb kann Overpaint keine Kamera in PipeWire haben.</translation>
    </message>
    <message>
        <source>Install the package of libpipewire-0.3 (on Debian libpipewire-0.3-0, on Fedora pipewire-libs).</source>
        <translation>Installiere das Paket von libpipewire-0.3 (unter Debian libpipewire-0.3-0, unter Fedora pipewire-libs).</translation>
    </message>
    <message>
        <source>PipeWire is not running, so Overpaint cannot have a camera in it.</source>
        <translation>PipeWire läuft nicht; deshalb kann Overpaint keine Kamera darin haben.</translation>
    </message>
    <message>
        <source>Start it: systemctl --user start pipewire wireplumber</source>
        <translation>Starte es: systemctl --user start pipewire wireplumber</translation>
    </message>
    <message>
        <source>PipeWire does not answer.</source>
        <translation>PipeWire antwortet nicht.</translation>
    </message>
    <message>
        <source>Start it again: systemctl --user restart pipewire wireplumber</source>
        <translation>Starte es neu: systemctl --user restart pipewire wireplumber</translation>
    </message>
    <message>
        <source>PipeWire refuses Overpaint&apos;s camera: {reason}.</source>
        <translation>PipeWire lehnt die Kamera von Overpaint ab: {reason}.</translation>
    </message>
    <message>
        <source>PipeWire has ended, and with it Overpaint&apos;s camera.</source>
        <translation>PipeWire hat sich beendet und mit ihm die Kamera von Overpaint.</translation>
    </message>
    <message>
        <source>The camera is back as soon as PipeWire runs again: systemctl --user start pipewire wireplumber</source>
        <translation>Die Kamera ist wieder da, sobald PipeWire läuft: systemctl --user start pipewire wireplumber</translation>
    </message>
    <message>
        <source>OBS Studio is installed, but its virtual camera has never been started.</source>
        <translation>OBS Studio ist installiert, aber seine virtuelle Kamera wurde noch nie gestartet.</translation>
    </message>
    <message>
        <source>Press Start Virtual Camera in OBS, allow its camera extension in System Settings (General, Login Items &amp; Extensions), stop it, and quit OBS.</source>
        <translation>Klicke in OBS auf „Virtuelle Kamera starten“, erlaube seine Kameraerweiterung in den Systemeinstellungen (Allgemein, Anmeldeobjekte &amp; Erweiterungen), stoppe sie und beende OBS.</translation>
    </message>
    <message>
        <source>OBS&apos;s camera extension waits for you to allow it.</source>
        <translation>Die Kameraerweiterung von OBS wartet darauf, dass du sie erlaubst.</translation>
    </message>
    <message>
        <source>Allow it in System Settings (General, Login Items &amp; Extensions, Camera Extensions), then try again.</source>
        <translation>Erlaube sie in den Systemeinstellungen (Allgemein, Anmeldeobjekte &amp; Erweiterungen, Kameraerweiterungen) und versuche es dann noch einmal.</translation>
    </message>
    <message>
        <source>OBS&apos;s camera extension is replaced at the next start of the computer.</source>
        <translation>Die Kameraerweiterung von OBS wird beim nächsten Start des Computers ersetzt.</translation>
    </message>
    <message>
        <source>This package of Overpaint cannot feed OBS&apos;s virtual camera.</source>
        <translation>Dieses Paket von Overpaint kann die virtuelle Kamera von OBS nicht beliefern.</translation>
    </message>
    <message>
        <source>Use the page for OBS (Settings, Streaming), or an installation by pip with pyvirtualcam.</source>
        <translation>Nimm die Seite für OBS (Einstellungen, Streaming) oder eine Installation mit pip und pyvirtualcam.</translation>
    </message>
    <message>
        <source>Install it: pip install &quot;{requirement}&quot;</source>
        <translation>Installiere sie: pip install &quot;{requirement}&quot;</translation>
    </message>
    <message>
        <source>Another program feeds OBS&apos;s virtual camera, or still shows what it was fed last.</source>
        <translation>Ein anderes Programm speist die virtuelle Kamera von OBS oder zeigt noch, was sie zuletzt bekam.</translation>
    </message>
    <message>
        <source>Stop the virtual camera in OBS, close programs that show it, then try again.</source>
        <translation>Stoppen Sie die virtuelle Kamera in OBS, schließen Sie Programme, die sie zeigen, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Another program is using the virtual camera {camera}.</source>
        <translation>Ein anderes Programm benutzt die virtuelle Kamera {camera}.</translation>
    </message>
    <message>
        <source>Another program is using the virtual camera {camera} with {width}×{height} pixels.</source>
        <translation>Ein anderes Programm benutzt die virtuelle Kamera {camera} mit {width}×{height} Pixeln.</translation>
    </message>
    <message>
        <source>A virtual camera of {width}×{height} pixels is not possible.</source>
        <translation>Eine virtuelle Kamera mit {width}×{height} Pixeln ist nicht möglich.</translation>
    </message>
    <message>
        <source>Choose an even width and height.</source>
        <translation>Wähle eine gerade Breite und Höhe.</translation>
    </message>
    <message>
        <source>The virtual camera is open for {width}×{height} pixels, not for {frame_width}×{frame_height}.</source>
        <translation>Die virtuelle Kamera ist für {width}×{height} Pixel geöffnet, nicht für {frame_width}×{frame_height}.</translation>
    </message>
    <message>
        <source>The virtual camera is not open.</source>
        <translation>Die virtuelle Kamera ist nicht geöffnet.</translation>
    </message>
    <message>
        <source>Overpaint feeds the camera already.</source>
        <translation>Overpaint speist die Kamera schon.</translation>
    </message>
    <message>
        <source>The camera is not open.</source>
        <translation>Die Kamera ist nicht geöffnet.</translation>
    </message>
    <message>
        <source>The process that holds the camera does not start.</source>
        <translation>Der Prozess, der die Kamera hält, startet nicht.</translation>
    </message>
    <message>
        <source>The process that holds the camera does not stay.</source>
        <translation>Der Prozess, der die Kamera hält, endet immer wieder.</translation>
    </message>
    <message>
        <source>The process that holds the camera does not answer.</source>
        <translation>Der Prozess, der die Kamera hält, antwortet nicht.</translation>
    </message>
    <message>
        <source>The process that holds the camera speaks another language.</source>
        <translation>Der Prozess, der die Kamera hält, gehört zu einer anderen Version von Overpaint.</translation>
    </message>
    <message>
        <source>The live process speaks another version of Overpaint.</source>
        <translation>Der Live-Prozess gehört zu einer anderen Version von Overpaint.</translation>
    </message>
    <message>
        <source>What Overpaint writes to {camera} does not come out of it.</source>
        <translation>Was Overpaint in {camera} schreibt, kommt dort nicht heraus.</translation>
    </message>
    <message>
        <source>An administrator&apos;s password could not be asked for, or was refused.</source>
        <translation>Das Passwort eines Administrators konnte nicht erfragt werden oder wurde abgelehnt.</translation>
    </message>
    <message>
        <source>Run it in a terminal: {command}</source>
        <translation>Führe es in einem Terminal aus: {command}</translation>
    </message>
    <message>
        <source>Another program is installing packages.</source>
        <translation>Ein anderes Programm installiert gerade Pakete.</translation>
    </message>
    <message>
        <source>Wait until it has finished, then try again.</source>
        <translation>Warte, bis es fertig ist, und versuche es dann noch einmal.</translation>
    </message>
    <message>
        <source>The driver could not be downloaded: {reason}.</source>
        <translation>Der Treiber konnte nicht heruntergeladen werden: {reason}.</translation>
    </message>
    <message>
        <source>Check the connection to the internet, then try again.</source>
        <translation>Prüfe die Verbindung zum Internet und versuche es dann noch einmal.</translation>
    </message>
    <message>
        <source>The headers of the running kernel ({kernel}) are not offered any more.</source>
        <translation>Die Header des laufenden Kernels ({kernel}) werden nicht mehr angeboten.</translation>
    </message>
    <message>
        <source>Update the system, restart the computer, then try again.</source>
        <translation>Aktualisiere das System, starte den Computer neu und versuche es dann noch einmal.</translation>
    </message>
    <message>
        <source>This system&apos;s package sources do not have the driver.</source>
        <translation>Die Paketquellen dieses Systems haben den Treiber nicht.</translation>
    </message>
    <message>
        <source>Add the one that does (on Ubuntu: universe), then try again.</source>
        <translation>Füge die hinzu, die ihn hat (bei Ubuntu: universe), und versuche es dann noch einmal.</translation>
    </message>
    <message>
        <source>The driver could not be built for the running kernel ({kernel}).</source>
        <translation>Der Treiber konnte nicht für den laufenden Kernel ({kernel}) gebaut werden.</translation>
    </message>
    <message>
        <source>The driver cannot be loaded again while a program uses it.</source>
        <translation>Der Treiber kann nicht neu geladen werden, solange ein Programm ihn benutzt.</translation>
    </message>
    <message>
        <source>Close the programs that use a camera, then try again.</source>
        <translation>Schließe die Programme, die eine Kamera benutzen, und versuche es dann noch einmal.</translation>
    </message>
    <message>
        <source>The driver could not be set up: {reason}.</source>
        <translation>Der Treiber konnte nicht eingerichtet werden: {reason}.</translation>
    </message>
    <message>
        <source>Run it in a terminal to see everything that is said: {command}</source>
        <translation>Führe es in einem Terminal aus, um alles zu sehen, was gesagt wird: {command}</translation>
    </message>
    <message>
        <source>The recording is not open.</source>
        <translation>Die Aufnahme ist nicht geöffnet.</translation>
    </message>
    <message>
        <source>There is too little room on the disk to record: {megabytes} MB.</source>
        <translation>Auf dem Datenträger ist zu wenig Platz zum Aufnehmen: {megabytes} MB.</translation>
    </message>
    <message>
        <source>The disk is almost full: the recording {file} has ended and is saved.</source>
        <translation>Der Datenträger ist fast voll: Die Aufnahme {file} ist beendet und gespeichert.</translation>
    </message>
    <message>
        <source>There is no folder {folder}.</source>
        <translation>Es gibt keinen Ordner {folder}.</translation>
    </message>
    <message>
        <source>Make it, or name another.</source>
        <translation>Lege ihn an, oder nenne einen anderen.</translation>
    </message>
    <message>
        <source>{path} is a folder.</source>
        <translation>{path} ist ein Ordner.</translation>
    </message>
    <message>
        <source>Nothing more can be written to {file}.</source>
        <translation>In {file} lässt sich nichts mehr schreiben.</translation>
    </message>
    <message>
        <source>The last seconds are not kept: replay is off.</source>
        <translation>Die letzten Sekunden wurden nicht behalten: Der Rückblick ist aus.</translation>
    </message>
    <message>
        <source>Turn it on in the settings, under Files.</source>
        <translation>Schalte ihn in den Einstellungen unter Dateien ein.</translation>
    </message>
    <message>
        <source>There are no last seconds to save: no picture is shown.</source>
        <translation>Es gibt keine letzten Sekunden zu speichern: Es wird kein Bild gezeigt.</translation>
    </message>
    <message>
        <source>There are no last seconds to save yet.</source>
        <translation>Es gibt noch keine letzten Sekunden zu speichern.</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>Versuche es gleich noch einmal.</translation>
    </message>
    <message>
        <source>The last seconds cannot be kept: {reason}.</source>
        <translation>Die letzten Sekunden können nicht behalten werden: {reason}.</translation>
    </message>
    <message>
        <source>Turn replay off and on again.</source>
        <translation>Schalte den Rückblick aus und wieder ein.</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be made: {reason}.</source>
        <translation>Der Ordner {folder} lässt sich nicht anlegen: {reason}.</translation>
    </message>
    <message>
        <source>The snapshot cannot be saved in {folder}: {reason}.</source>
        <translation>Das Bild kann in {folder} nicht gespeichert werden: {reason}.</translation>
    </message>
    <message>
        <source>The pause picture {file} cannot be read.</source>
        <translation>Das Pausenbild {file} lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>{file} is not a picture.</source>
        <translation>{file} ist kein Bild.</translation>
    </message>
    <message>
        <source>The page for OBS has no folder for its files.</source>
        <translation>Die Seite für OBS hat keinen Ordner für ihre Dateien.</translation>
    </message>
    <message>
        <source>The page for OBS cannot be written into {folder}: {reason}.</source>
        <translation>Die Seite für OBS kann nicht in {folder} geschrieben werden: {reason}.</translation>
    </message>
    <message>
        <source>The file is not there.</source>
        <translation>Die Datei ist nicht da.</translation>
    </message>
    <message>
        <source>The file may not be read.</source>
        <translation>Die Datei darf nicht gelesen werden.</translation>
    </message>
    <message>
        <source>The file cannot be read.</source>
        <translation>Die Datei lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>This is not a file with a picture or clip.</source>
        <translation>Diese Datei enthält weder ein Bild noch ein Video.</translation>
    </message>
    <message>
        <source>The file is not a picture (PNG, JPEG, WebP, AVIF, HEIC, GIF, TIFF or BMP).</source>
        <translation>Die Datei ist kein Bild (PNG, JPEG, WebP, AVIF, HEIC, GIF, TIFF oder BMP).</translation>
    </message>
    <message>
        <source>The file is not a video (MP4, MOV, MKV, WebM or AVI).</source>
        <translation>Die Datei ist kein Video (MP4, MOV, MKV, WebM oder AVI).</translation>
    </message>
    <message>
        <source>The file has {bytes} bytes; {limit_mb} MB is the limit for this model.</source>
        <translation>Die Datei hat {bytes} Bytes; {limit_mb} MB sind die Grenze für dieses Modell.</translation>
    </message>
    <message>
        <source>The file refers to another file.</source>
        <translation>Die Datei verweist auf eine andere Datei.</translation>
    </message>
    <message>
        <source>The file is damaged.</source>
        <translation>Die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>The file takes more memory than is allowed.</source>
        <translation>Die Datei braucht mehr Speicher als erlaubt ist.</translation>
    </message>
    <message>
        <source>The file takes more time than is allowed.</source>
        <translation>Die Datei braucht mehr Zeit als erlaubt ist.</translation>
    </message>
    <message>
        <source>The picture is empty.</source>
        <translation>Das Bild ist leer.</translation>
    </message>
    <message>
        <source>The picture is too large.</source>
        <translation>Das Bild ist zu groß.</translation>
    </message>
    <message>
        <source>The picture has {width} × {height} pixels; 64 megapixels is the limit.</source>
        <translation>Das Bild hat {width} × {height} Pixel; 64 Megapixel sind die Grenze.</translation>
    </message>
    <message>
        <source>The picture takes more memory than is allowed.</source>
        <translation>Das Bild braucht mehr Speicher als erlaubt ist.</translation>
    </message>
    <message>
        <source>The file has no moving picture.</source>
        <translation>Die Datei enthält kein Video.</translation>
    </message>
    <message>
        <source>The video has no size, or it is damaged.</source>
        <translation>Das Video hat keine Größe oder ist beschädigt.</translation>
    </message>
    <message>
        <source>The video has {width} × {height} pixels; {side} a side and 64 megapixels are the limit.</source>
        <translation>Das Video hat {width} × {height} Pixel; {side} je Seite und 64 Megapixel sind die Grenze.</translation>
    </message>
    <message>
        <source>The video has {width} × {height} pixels.</source>
        <translation>Das Video hat {width} × {height} Pixel.</translation>
    </message>
    <message>
        <source>Too many pictures are waiting to be opened.</source>
        <translation>Zu viele Bilder warten darauf, geöffnet zu werden.</translation>
    </message>
    <message>
        <source>Overpaint is closing.</source>
        <translation>Overpaint wird gerade geschlossen.</translation>
    </message>
    <message>
        <source>The picture decoder does not start: {reason}.</source>
        <translation>Der Bilddecoder startet nicht: {reason}.</translation>
    </message>
    <message>
        <source>The picture decoder does not run.</source>
        <translation>Der Bilddecoder läuft nicht.</translation>
    </message>
    <message>
        <source>The file is neither a picture nor a clip of a known format.</source>
        <translation>Die Datei ist weder ein Bild noch ein Clip in einem bekannten Format.</translation>
    </message>
    <message>
        <source>The file is larger than {megabytes} MB.</source>
        <translation>Die Datei ist größer als {megabytes} MB.</translation>
    </message>
    <message>
        <source>Try again, or try another file.</source>
        <translation>Versuche es noch einmal, oder mit einer anderen Datei.</translation>
    </message>
    <message>
        <source>{file} could not be saved in the chosen form: {sentence}</source>
        <translation>{file} ließ sich nicht in der gewählten Form speichern: {sentence}</translation>
    </message>
    <message>
        <source>Choose another format in the settings, then try again; the result is only fetched again.</source>
        <translation>Wähle in den Einstellungen ein anderes Format und versuche es noch einmal; das Ergebnis wird nur noch einmal geholt.</translation>
    </message>
    <message>
        <source>The video has no picture.</source>
        <translation>Das Video hat kein Bild.</translation>
    </message>
    <message>
        <source>The video has no picture, or it is damaged.</source>
        <translation>Das Video hat kein Bild oder ist beschädigt.</translation>
    </message>
    <message>
        <source>The video has more than {frames} frames.</source>
        <translation>Das Video hat mehr als {frames} Einzelbilder.</translation>
    </message>
    <message>
        <source>The video has {frames} frames of {width} × {height} pixels, {total:,.1f} thousand million in all; {limit:.0f} thousand million are the limit (10 minutes of 1920 × 1080 at 60 frames a second).</source>
        <translation>Das Video hat {frames} Einzelbilder mit {width} × {height} Pixeln, zusammen {total:,.1f} Milliarden; {limit:.0f} Milliarden sind die Grenze (10 Minuten von 1920 × 1080 mit 60 Bildern je Sekunde).</translation>
    </message>
    <message>
        <source>The transformation failed.</source>
        <translation>Das Ummalen ist gescheitert.</translation>
    </message>
    <message>
        <source>This is no frame.</source>
        <translation>Das ist kein Einzelbild.</translation>
    </message>
    <message>
        <source>The picture cannot be encoded.</source>
        <translation>Das Bild lässt sich nicht codieren.</translation>
    </message>
    <message>
        <source>No worker can be started: {reason}.</source>
        <translation>Es lässt sich kein Arbeitsprozess starten: {reason}.</translation>
    </message>
    <message>
        <source>The worker hangs.</source>
        <translation>Der Arbeitsprozess hängt.</translation>
    </message>
    <message>
        <source>The worker did not come forward.</source>
        <translation>Der Arbeitsprozess kam nicht voran.</translation>
    </message>
    <message>
        <source>The worker that had the file ended unexpectedly.</source>
        <translation>Der Arbeitsprozess mit der Datei endete unerwartet.</translation>
    </message>
    <message>
        <source>The service is ending.</source>
        <translation>Der Dienst endet.</translation>
    </message>
    <message>
        <source>{look} is too slow for live video on this machine.</source>
        <translation>{look} ist auf diesem Computer zu langsam für Livevideo.</translation>
    </message>
    <message>
        <source>Use it for pictures and clips.</source>
        <translation>Nimm ihn für Bilder und Clips.</translation>
    </message>
    <message>
        <source>{look} does not work any more ({reason}). Another look stands in for it.</source>
        <translation>{look} funktioniert nicht mehr ({reason}). Ein anderer Look springt dafür ein.</translation>
    </message>
    <message>
        <source>The reference photo is empty or not a colour picture.</source>
        <translation>Das Referenzfoto ist leer oder kein Farbbild.</translation>
    </message>
    <message>
        <source>Choose another photo.</source>
        <translation>Wähle ein anderes Foto.</translation>
    </message>
    <message>
        <source>The look {file} cannot be read: {reason}.</source>
        <translation>Der Look {file} ist nicht lesbar: {reason}.</translation>
    </message>
    <message>
        <source>Install Overpaint again.</source>
        <translation>Installiere Overpaint neu.</translation>
    </message>
    <message>
        <source>The style {style} cannot be read.</source>
        <translation>Der Stil {style} ist nicht lesbar.</translation>
    </message>
    <message>
        <source>The language {file} cannot be read: {reason}.</source>
        <translation>Die Sprache {file} ist nicht lesbar: {reason}.</translation>
    </message>
    <message>
        <source>It is no file.</source>
        <translation>Es ist keine Datei.</translation>
    </message>
    <message>
        <source>It cannot be read ({reason}).</source>
        <translation>Es ist nicht lesbar ({reason}).</translation>
    </message>
    <message>
        <source>It is larger than {megabytes} MB.</source>
        <translation>Es ist größer als {megabytes} MB.</translation>
    </message>
    <message>
        <source>The net will not do: {reason}.</source>
        <translation>Das Netz taugt nicht: {reason}.</translation>
    </message>
    <message>
        <source>This net cannot be opened ({reasons}).</source>
        <translation>Dieses Netz lässt sich nicht öffnen ({reasons}).</translation>
    </message>
    <message>
        <source>The net failed: {reason}</source>
        <translation>Das Netz ist gescheitert: {reason}</translation>
    </message>
    <message>
        <source>It gives no colour picture.</source>
        <translation>Es liefert kein Farbbild.</translation>
    </message>
    <message>
        <source>No picture gets through to the service.</source>
        <translation>Kein Bild kommt bis zum Dienst durch.</translation>
    </message>
    <message>
        <source>Use shared_memory on one machine, or allow UDP between this machine and the service, or let the service name a TURN server (serve --ice-server).</source>
        <translation>Nimm shared_memory auf einem Rechner, oder erlaube UDP zwischen diesem Rechner und dem Dienst, oder lass den Dienst einen TURN-Server nennen (serve --ice-server).</translation>
    </message>
    <message>
        <source>The service&apos;s answer to the link cannot be used: {reason}.</source>
        <translation>Die Antwort des Dienstes auf die Bildverbindung ist unbrauchbar: {reason}.</translation>
    </message>
    <message>
        <source>The service refuses the link: {sentence}</source>
        <translation>Der Dienst lehnt die Bildverbindung ab: {sentence}</translation>
    </message>
    <message>
        <source>The service sends no picture in this room.</source>
        <translation>Der Dienst sendet in diesem Raum kein Bild.</translation>
    </message>
    <message>
        <source>The service has ended the picture.</source>
        <translation>Der Dienst hat das Bild beendet.</translation>
    </message>
    <message>
        <source>The connection to the service broke.</source>
        <translation>Die Verbindung zum Dienst ist abgebrochen.</translation>
    </message>
    <message>
        <source>No styled picture has come back for {seconds} seconds.</source>
        <translation>Seit {seconds} Sekunden ist kein umgemaltes Bild zurückgekommen.</translation>
    </message>
    <message>
        <source>There is no session to join.</source>
        <translation>Es gibt keine Sitzung zum Beitreten.</translation>
    </message>
    <message>
        <source>The session is closed.</source>
        <translation>Die Sitzung ist geschlossen.</translation>
    </message>
    <message>
        <source>The link was lost as soon as it was there.</source>
        <translation>Die Bildverbindung ging verloren, sobald sie da war.</translation>
    </message>
    <message>
        <source>The service did not take the change.</source>
        <translation>Der Dienst hat die Änderung nicht angenommen.</translation>
    </message>
    <message>
        <source>The service did not take the photo.</source>
        <translation>Der Dienst hat das Foto nicht angenommen.</translation>
    </message>
    <message>
        <source>The reference photo did not arrive whole.</source>
        <translation>Das Referenzfoto ist nicht vollständig angekommen.</translation>
    </message>
    <message>
        <source>Choose it again.</source>
        <translation>Wähle es noch einmal.</translation>
    </message>
    <message>
        <source>{address} is not encrypted: everybody on the way can read your API key and see the picture.</source>
        <translation>{address} ist nicht verschlüsselt: Alle auf dem Weg dorthin können deinen API-Schlüssel lesen und das Bild sehen.</translation>
    </message>
    <message>
        <source>There is no API key for {address}.</source>
        <translation>Für {address} gibt es keinen API-Schlüssel.</translation>
    </message>
    <message>
        <source>Set OVERPAINT_API_KEY, or enter the key in the app.</source>
        <translation>Setze OVERPAINT_API_KEY, oder gib den Schlüssel in der App ein.</translation>
    </message>
    <message>
        <source>This service needs an API key.</source>
        <translation>Dieser Dienst braucht einen API-Schlüssel.</translation>
    </message>
    <message>
        <source>Paste the key of your account.</source>
        <translation>Füge den Schlüssel deines Kontos ein.</translation>
    </message>
    <message>
        <source>Stop the live picture before you change the service.</source>
        <translation>Halte das Livebild an, bevor du den Dienst wechselst.</translation>
    </message>
    <message>
        <source>Files are being restyled: let them finish, or cancel them.</source>
        <translation>Dateien werden gerade umgemalt: Lass sie fertig werden, oder brich sie ab.</translation>
    </message>
    <message>
        <source>The system&apos;s keyring does not answer.</source>
        <translation>Der Schlüsselbund des Systems antwortet nicht.</translation>
    </message>
    <message>
        <source>Unlock it, or put the key into the environment variable {variable}.</source>
        <translation>Entsperre ihn, oder lege den Schlüssel in die Umgebungsvariable {variable}.</translation>
    </message>
    <message>
        <source>The system&apos;s keyring is missing or locked.</source>
        <translation>Der Schlüsselbund des Systems fehlt oder ist gesperrt.</translation>
    </message>
    <message>
        <source>This costs {price} credits, and {left} are left. Nothing was sent.</source>
        <translation>Das kostet {price} Credits, und {left} sind übrig. Nichts wurde gesendet.</translation>
    </message>
    <message>
        <source>Add credits to the account.</source>
        <translation>Lade das Konto auf.</translation>
    </message>
    <message>
        <source>{file} is named like a clip but is a picture.</source>
        <translation>{file} heißt wie ein Video, ist aber ein Bild.</translation>
    </message>
    <message>
        <source>Rename it, so that its price can be told.</source>
        <translation>Benenne die Datei um, damit sich ihr Preis nennen lässt.</translation>
    </message>
    <message>
        <source>{file} is named like a picture but is a clip.</source>
        <translation>{file} heißt wie ein Bild, ist aber ein Video.</translation>
    </message>
    <message>
        <source>The list of transforms cannot be kept in {path} ({reason}).</source>
        <translation>Die Liste der Bilder und Videos lässt sich nicht in {path} aufbewahren ({reason}).</translation>
    </message>
    <message>
        <source>Overpaint failed at a file.</source>
        <translation>Overpaint ist an einer Datei gescheitert.</translation>
    </message>
    <message>
        <source>Look into live.log.</source>
        <translation>Sieh in live.log nach.</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>Versuche es später noch einmal.</translation>
    </message>
    <message>
        <source>The link is closed.</source>
        <translation>Die Bildverbindung ist geschlossen.</translation>
    </message>
    <message>
        <source>The other process speaks another version of Overpaint.</source>
        <translation>Der andere Prozess gehört zu einer anderen Version von Overpaint.</translation>
    </message>
    <message>
        <source>The shared memory of the other process cannot be opened.</source>
        <translation>Der gemeinsame Speicher des anderen Prozesses lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>The desktop sent a frame of another size.</source>
        <translation>Der Desktop hat ein Bild anderer Größe gesendet.</translation>
    </message>
    <message>
        <source>The process that plays a file broke the rules.</source>
        <translation>Der Prozess, der eine Datei abspielt, hat sich nicht an die Regeln gehalten.</translation>
    </message>
    <message>
        <source>Overpaint is ending.</source>
        <translation>Overpaint wird gerade beendet.</translation>
    </message>
    <message>
        <source>The process is ending.</source>
        <translation>Der Prozess wird gerade beendet.</translation>
    </message>
    <message>
        <source>The process at that address belongs to another user.</source>
        <translation>Der Prozess an dieser Adresse gehört einem anderen Benutzer.</translation>
    </message>
    <message>
        <source>Nobody listens at that address.</source>
        <translation>An dieser Adresse antwortet kein Prozess.</translation>
    </message>
    <message>
        <source>The process at that address does not know the secret.</source>
        <translation>Der Prozess an dieser Adresse kennt das Geheimnis nicht.</translation>
    </message>
    <message>
        <source>The other process refused the connection.</source>
        <translation>Der andere Prozess hat die Verbindung abgelehnt.</translation>
    </message>
    <message>
        <source>The other process does not answer.</source>
        <translation>Der andere Prozess antwortet nicht.</translation>
    </message>
    <message>
        <source>The other process is gone.</source>
        <translation>Der andere Prozess ist nicht mehr da.</translation>
    </message>
    <message>
        <source>Overpaint&apos;s {role} process is already running for this data folder.</source>
        <translation>Der Prozess „{role}“ von Overpaint läuft für diesen Datenordner schon.</translation>
    </message>
    <message>
        <source>Use that one, or name another folder with --data-dir.</source>
        <translation>Nimm diesen, oder nenne mit --data-dir einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{process} does not start: {sentence}</source>
        <translation>{process} startet nicht: {sentence}</translation>
    </message>
    <message>
        <source>See {log}.</source>
        <translation>Siehe {log}.</translation>
    </message>
    <message>
        <source>overpaint {command} does not come to its end.</source>
        <translation>overpaint {command} kommt nicht zu seinem Ende.</translation>
    </message>
    <message>
        <source>It is stopped.</source>
        <translation>Der Prozess ist angehalten.</translation>
    </message>
    <message>
        <source>It does not answer.</source>
        <translation>Der Prozess antwortet nicht.</translation>
    </message>
    <message>
        <source>On this system Overpaint does not know how to start by itself.</source>
        <translation>Auf diesem System kann Overpaint nicht von selbst starten.</translation>
    </message>
    <message>
        <source>There is no X11 display to take keys from.</source>
        <translation>Es gibt keine X11-Anzeige, von der Tasten kommen könnten.</translation>
    </message>
    <message>
        <source>This desktop has no portal that gives programs such keys.</source>
        <translation>Dieser Desktop hat kein Portal, das Programmen solche Tasten gibt.</translation>
    </message>
    <message>
        <source>In its keyboard settings, let a key run: overpaint live privacy (or go, stop, hold, record).</source>
        <translation>Lass in dessen Tastatureinstellungen eine Taste dies ausführen: overpaint live privacy (oder go, stop, hold, record).</translation>
    </message>
    <message>
        <source>This desktop gives such keys to installed programs only.</source>
        <translation>Dieser Desktop gibt solche Tasten nur installierten Programmen.</translation>
    </message>
    <message>
        <source>Install Overpaint&apos;s package, or let a key of the desktop&apos;s settings run: overpaint live privacy.</source>
        <translation>Installiere das Paket von Overpaint, oder lass in den Einstellungen des Desktops eine Taste dies ausführen: overpaint live privacy.</translation>
    </message>
    <message>
        <source>The desktop&apos;s dialog was closed without keys.</source>
        <translation>Der Dialog des Desktops wurde ohne Tasten geschlossen.</translation>
    </message>
    <message>
        <source>Turn them off and on to be asked again.</source>
        <translation>Schalte sie aus und wieder ein, um noch einmal gefragt zu werden.</translation>
    </message>
    <message>
        <source>{keys} is not a combination of keys.</source>
        <translation>{keys} ist keine Tastenkombination.</translation>
    </message>
    <message>
        <source>Take one like Ctrl+Alt+P.</source>
        <translation>Nimm eine wie Ctrl+Alt+P.</translation>
    </message>
    <message>
        <source>{keys} would be taken from every other program.</source>
        <translation>{keys} würde jedem anderen Programm genommen.</translation>
    </message>
    <message>
        <source>This keyboard has no key {key}.</source>
        <translation>Diese Tastatur hat keine Taste {key}.</translation>
    </message>
    <message>
        <source>Take another.</source>
        <translation>Nimm eine andere.</translation>
    </message>
    <message>
        <source>Another program has taken {keys} already.</source>
        <translation>Ein anderes Programm hat {keys} schon.</translation>
    </message>
</context>
<context>
    <name>UpdateLine</name>
    <message>
        <source>Version {} is there. The menu says what is new, and where.</source>
        <translation>Version {} ist da. Das Menü sagt, was neu ist und wo es sie gibt.</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Open its page</source>
        <translation>Ihre Seite öffnen</translation>
    </message>
    <message>
        <source>Version {} is there</source>
        <translation>Version {} ist da</translation>
    </message>
    <message>
        <source>You have version {}. Nothing is installed by itself.</source>
        <translation>Du hast Version {}. Nichts wird von selbst installiert.</translation>
    </message>
    <message>
        <source>It can be had from {}</source>
        <translation>Es gibt sie bei {}</translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <source>Starting…</source>
        <translation>Startet…</translation>
    </message>
    <message>
        <source>Restarting…</source>
        <translation>Startet neu…</translation>
    </message>
    <message>
        <source>Needs you</source>
        <translation>Braucht dich</translation>
    </message>
    <message>
        <source>Not answering…</source>
        <translation>Antwortet nicht…</translation>
    </message>
    <message>
        <source>Private</source>
        <translation>Privat</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Reconnecting…</source>
        <translation>Verbindet neu…</translation>
    </message>
    <message>
        <source>Renewing…</source>
        <translation>Verlängert…</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>No camera</source>
        <translation>Keine Kamera</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>camera</source>
        <translation>Kamera</translation>
    </message>
    <message>
        <source>Private · only you see this</source>
        <translation>Privat · nur du siehst dies</translation>
    </message>
    <message>
        <source>ORIGINAL · {} shows you as you are</source>
        <translation>ORIGINAL · {} zeigt dich, wie du bist</translation>
    </message>
    <message>
        <source>ORIGINAL · not restyled</source>
        <translation>ORIGINAL · nicht umgemalt</translation>
    </message>
    <message>
        <source>Paused · {}</source>
        <translation>Pausiert · {}</translation>
    </message>
    <message>
        <source>Held · {}</source>
        <translation>Angehalten · {}</translation>
    </message>
    <message>
        <source>On air · {}</source>
        <translation>Auf Sendung · {}</translation>
    </message>
    <message>
        <source>Held · not on air</source>
        <translation>Angehalten · nicht auf Sendung</translation>
    </message>
    <message>
        <source>Preview · not on air</source>
        <translation>Vorschau · nicht auf Sendung</translation>
    </message>
    <message>
        <source>The live part of Overpaint has ended and is restarting.</source>
        <translation>Der Liveteil von Overpaint ist zu Ende gegangen und wird neu gestartet.</translation>
    </message>
    <message>
        <source>Opening the session and the source.</source>
        <translation>Sitzung und Quelle werden geöffnet.</translation>
    </message>
    <message>
        <source>The camera goes on showing the last picture.</source>
        <translation>Die Kamera zeigt weiter das letzte Bild.</translation>
    </message>
    <message>
        <source>Returning…</source>
        <translation>Kehrt zurück…</translation>
    </message>
    <message>
        <source>Taking over…</source>
        <translation>Übernimmt…</translation>
    </message>
    <message>
        <source>Waiting for OBS</source>
        <translation>Wartet auf OBS</translation>
    </message>
    <message>
        <source>Waiting for OBS · not on air</source>
        <translation>Wartet auf OBS · nicht auf Sendung</translation>
    </message>
    <message>
        <source>No camera · not on air</source>
        <translation>Keine Kamera · nicht auf Sendung</translation>
    </message>
    <message>
        <source>The service is busy: you are number {} of {} in the queue.</source>
        <translation>Der Dienst ist mit anderen beschäftigt: Du bist Nummer {} von {} in der Schlange.</translation>
    </message>
    <message>
        <source>Waiting in the queue…</source>
        <translation>Wartet auf einen Platz…</translation>
    </message>
    <message>
        <source>This computer takes over…</source>
        <translation>Dieser Computer übernimmt…</translation>
    </message>
    <message>
        <source>No picture from {}</source>
        <translation>Kein Bild von {}</translation>
    </message>
    <message>
        <source>Check that it is plugged in, uncovered, and not used by another program.</source>
        <translation>Ist sie eingesteckt, unverdeckt und nicht von einem anderen Programm belegt?</translation>
    </message>
    <message>
        <source>The disk is almost full: room for less than {} min of recording.</source>
        <translation>Der Datenträger ist fast voll: Platz für weniger als {} min Aufnahme.</translation>
    </message>
    <message>
        <source>{} does not answer: this computer restyles until it does.</source>
        <translation>{} antwortet nicht: Bis dahin malt dieser Computer um.</translation>
    </message>
    <message>
        <source>Not enough credits for the next session: the picture stops in {}.</source>
        <translation>Die Credits reichen nicht für die nächste Sitzung: Das Bild endet in {}.</translation>
    </message>
    <message>
        <source>In a moment the next session begins: {} credits.</source>
        <translation>Gleich beginnt die nächste Sitzung: {} Credits.</translation>
    </message>
    <message>
        <source>Paused: nobody sees the picture</source>
        <translation>Pausiert: niemand sieht das Bild</translation>
    </message>
    <message>
        <source>You are not on air, and nothing is restyled for this window alone.</source>
        <translation>Du bist nicht auf Sendung, und für dieses Fenster allein wird nichts umgemalt.</translation>
    </message>
    <message>
        <source>Paused: no program is reading the camera</source>
        <translation>Pausiert: kein Programm liest die Kamera</translation>
    </message>
    <message>
        <source>It goes on at once when a program opens it. Nothing is restyled until then.</source>
        <translation>Es geht sofort weiter, wenn ein Programm sie öffnet. Bis dahin wird nichts umgemalt.</translation>
    </message>
    <message>
        <source>It goes on at once when a program opens it. Nothing is restyled or bought until then.</source>
        <translation>Es geht sofort weiter, wenn ein Programm sie öffnet. Bis dahin wird nichts umgemalt oder gekauft.</translation>
    </message>
    <message>
        <source>Mute</source>
        <translation>Stumm</translation>
    </message>
    <message>
        <source>Muted: recordings are silent (Ctrl+M)</source>
        <translation>Stumm: Aufnahmen sind ohne Ton (Strg+M)</translation>
    </message>
    <message>
        <source>Unmute</source>
        <translation>Ton an</translation>
    </message>
    <message>
        <source>Silent while private or held</source>
        <translation>Still, solange du privat bist oder das Bild anhältst</translation>
    </message>
    <message>
        <source>“{}” is being recorded. A click mutes it (Ctrl+M)</source>
        <translation>„{}“ wird aufgenommen. Ein Klick schaltet es stumm (Strg+M)</translation>
    </message>
    <message>
        <source>“{}” and the computer&apos;s sound are being recorded. A click mutes both (Ctrl+M)</source>
        <translation>„{}“ und der Ton des Computers werden aufgenommen. Ein Klick schaltet beide stumm (Strg+M)</translation>
    </message>
    <message>
        <source>The computer&apos;s sound is being recorded. A click mutes it (Ctrl+M)</source>
        <translation>Der Ton des Computers wird aufgenommen. Ein Klick schaltet ihn stumm (Strg+M)</translation>
    </message>
    <message>
        <source>A recording carries your microphone. A click mutes it (Ctrl+M)</source>
        <translation>Eine Aufnahme enthält dein Mikrofon. Ein Klick schaltet es stumm (Strg+M)</translation>
    </message>
    <message>
        <source>A recording carries the computer&apos;s sound, too. A click mutes all (Ctrl+M)</source>
        <translation>Eine Aufnahme enthält auch den Ton des Computers. Ein Klick schaltet alles stumm (Strg+M)</translation>
    </message>
    <message>
        <source>No camera found</source>
        <translation>Keine Kamera gefunden</translation>
    </message>
    <message>
        <source>Plug one in and look again, or start with something else.</source>
        <translation>Stecke eine ein und suche noch einmal, oder beginne mit etwas anderem.</translation>
    </message>
    <message>
        <source>See yourself restyled</source>
        <translation>Sieh dich umgemalt</translation>
    </message>
    <message>
        <source>Only you see the preview, until you go live.</source>
        <translation>Die Vorschau siehst nur du, bis du live gehst.</translation>
    </message>
    <message>
        <source>Only you see the preview, until you go live. A session costs {} credits.</source>
        <translation>Die Vorschau siehst nur du, bis du live gehst. Eine Sitzung kostet {} Credits.</translation>
    </message>
    <message>
        <source>The session ended</source>
        <translation>Die Sitzung ist zu Ende</translation>
    </message>
    <message>
        <source>There are credits again</source>
        <translation>Es sind wieder Credits da</translation>
    </message>
    <message>
        <source>{} of them; a session costs {}.</source>
        <translation>{} Credits; eine Sitzung kostet {}.</translation>
    </message>
    <message>
        <source>Start preview</source>
        <translation>Vorschau starten</translation>
    </message>
    <message>
        <source>{} · {} credits</source>
        <translation>{} · {} Credits</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Search again</source>
        <translation>Neu suchen</translation>
    </message>
    <message>
        <source>Use the demo</source>
        <translation>Demo nehmen</translation>
    </message>
    <message>
        <source>Use the screen</source>
        <translation>Bildschirm nehmen</translation>
    </message>
    <message>
        <source>Get credits</source>
        <translation>Credits aufladen</translation>
    </message>
    <message>
        <source>Open system settings</source>
        <translation>Systemeinstellungen öffnen</translation>
    </message>
    <message>
        <source>On air</source>
        <translation>Auf Sendung</translation>
    </message>
    <message>
        <source>Pause picture</source>
        <translation>Pausenbild</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Not allowed</source>
        <translation>Nicht erlaubt</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>Verloren</translation>
    </message>
    <message>
        <source>{} fps</source>
        <translation>{} fps</translation>
    </message>
    <message>
        <source>{} ms</source>
        <translation>{} ms</translation>
    </message>
    <message>
        <source>{} on air</source>
        <translation>{} auf Sendung</translation>
    </message>
    <message>
        <source>{} s billed</source>
        <translation>{} s berechnet</translation>
    </message>
    <message>
        <source>{} recorded</source>
        <translation>{} aufgenommen</translation>
    </message>
    <message>
        <source>{} s</source>
        <translation>{} s</translation>
    </message>
    <message>
        <source>under a minute</source>
        <translation>unter einer Minute</translation>
    </message>
    <message>
        <source>nothing left</source>
        <translation>nichts mehr</translation>
    </message>
    <message>
        <source>{} min</source>
        <translation>{} min</translation>
    </message>
    <message>
        <source>{} h</source>
        <translation>{} h</translation>
    </message>
    <message>
        <source>{} days</source>
        <translation>{} Tage</translation>
    </message>
</context>
</TS>
