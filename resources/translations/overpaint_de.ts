<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Overpaint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restyles your camera or screen live, on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Diagnostics say what works on this machine: no pictures, no keys, no prompts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied. Paste it into your report.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Examining this machine…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AppMenu</name>
    <message>
        <source>Save a snapshot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Overpaint…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the restyled picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the original, not restyled…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BalanceCard</name>
    <message>
        <source>Balance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>credits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lasts about</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Secret</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} · next in {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} credits · {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Low: the picture stops in {}, unless credits are added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Low: a session costs {} credits.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BatchCard</name>
    <message>
        <source>Ready to be restyled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take all of them off the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for these files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How these files shall look; the live picture keeps its own prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Describe the look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not enough credits: {} are left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Say how they shall look.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files follow the words; the reference photo is for the live picture.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CameraCard</name>
    <message>
        <source>Camera</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings › Video</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings › Devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources › Video Capture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose “{}” in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In your video call, choose Overpaint&apos;s camera in</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Comeback</name>
    <message>
        <source>Overpaint&apos;s live part ended at {} and was started again. {} is not there any more: choose a source and start when you are ready.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overpaint&apos;s live part ended again at {}, for the fourth time in ten minutes. Start when you are ready; live.log in the data folder says why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overpaint&apos;s live part ended at {} and came back by itself: on air with the same look.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overpaint&apos;s live part ended at {} and came back by itself, with the same look.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The original is not shown any more.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CompareHandle</name>
    <message>
        <source>Compare with the original</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag to compare with the original, or hold Space; only you see it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DropCover</name>
    <message>
        <source>Drop to restyle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is charged before you press the button in Transforms.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>…or here, as the reference photo of the live picture</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Everyday</name>
    <message>
        <source>Saved: {} in {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the original?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The camera will show you and your room as they are, not restyled, until you switch back or stop. A red mark on the picture says so all the while.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stay restyled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the original</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FiguresCard</name>
    <message>
        <source>Stream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures in · out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} · {} fps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · p95 {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LiveBridge</name>
    <message>
        <source>The window failed to talk to Overpaint&apos;s live process.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overpaint&apos;s live process does not start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another version of Overpaint is running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close it, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LookGallery</name>
    <message>
        <source>Search looks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Favourites</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the strip of looks (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No look matches “{}”. Press Enter to use these words as the prompt.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No favourites yet. Click the star on a look, or press Ctrl+D.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No look was chosen yet.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LookList</name>
    <message>
        <source>Looks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove from favourites</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to favourites</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LookListModel</name>
    <message>
        <source>shown now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>favourite</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LooksPanel</name>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All looks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All looks: search, favourites, recent (Ctrl+G)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>You are on air</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the camera running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The camera can go on without this window. Open Overpaint again to change or stop it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A recording is running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It can go on without this window. Open Overpaint again to end it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MendBox</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Put this notice away</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PathChoice</name>
    <message>
        <source>Back to the usual</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PicturePair</name>
    <message>
        <source>Comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} % {}, {} % {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PromptLine</name>
    <message>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Describe the look: pencil sketch on warm paper…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Applies the prompt (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Understood as: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press Enter to apply.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a reference photo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures ({})</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueueNotice</name>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put this notice away</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ResultDesk</name>
    <message>
        <source>Copied {} files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save copies in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved as {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved {} files in {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No program opens {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied {}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ResultViewer</name>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Original</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restyled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous result (Page up)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next result (Page down)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plays the clip in the program that your system has for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a copy…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not there any more.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The window opens anew in it; the camera goes on meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start with the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overpaint opens when you sign in. It goes on air only when you say so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start out of the way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the tray.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimised: this desktop shows no tray.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closing keeps Overpaint in the tray</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The camera goes on; a click on the tray&apos;s icon brings the window back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This desktop shows no tray.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirror the preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only for you, and only with a camera; others see you the right way round.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overpaint&apos;s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a still</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures ({})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The still</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What others see while you are stopped, private or not on air.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Videos › Overpaint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder for recordings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The restyled picture as MP4 (Ctrl+R).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures › Overpaint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder for snapshots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Single pictures as PNG (Ctrl+S).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys in every program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On Wayland programs cannot have such keys. In your desktop&apos;s keyboard settings, let a key run: overpaint live privacy (or go, stop, hold, next-look).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They work while another program has the keyboard: in a call, in a game.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go live, or end it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start, or stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold, or go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Privacy, or show me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Low priority</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside a game or a heavy program Overpaint steps back: fewer pictures a second rather than a slow machine. Turned off, some systems give it back its priority at the next start only.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SigningIn</name>
    <message>
        <source>The system does not let Overpaint set this: {}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SourceChooser</name>
    <message>
        <source>Opens the list of sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a video or picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Videos and pictures ({})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No camera found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a video or picture…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StagePanel</name>
    <message>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirror the preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirrors the preview only; others see you the right way round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Original · only you see it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Freezes what the camera shows (Ctrl+H)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows you to others again (F9)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blanks the camera to the still at once (F9)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends the session; the camera shows a still</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts the preview; only you see it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The camera shows a still again (Ctrl+L)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sends the restyled picture to the camera (Ctrl+L)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recording to {} (Ctrl+R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Records the restyled picture (Ctrl+R)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TransformIntake</name>
    <message>
        <source>Save that picture as a file first, then add the file.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TransformList</name>
    <message>
        <source>Transforms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a copy…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restyle again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do this next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TransformWords</name>
    <message>
        <source>ready · {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{}. in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed · {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancelled · {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted · try it again?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sending…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saving…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restyling…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} s left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} min left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>may have been charged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cost nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} charged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overpaint ended while this was under way, too long ago to ask for it again. It may have been charged; trying again costs {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service had begun. Try again to fetch the result at no further cost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved as {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 credit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} credits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} clips</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restyle for {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restyle {} for {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} credits a picture, {} a clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is neither a picture nor a clip.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} files are neither pictures nor clips ({}, …).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} were on the list already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} more did not fit: {} at a time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} folders may not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out:</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TransformsPanel</name>
    <message>
        <source>Transforms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds pictures and clips (Ctrl+Shift+O); drop or paste them as well</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More about transforms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search transforms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing matches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop pictures, clips or folders
here or paste them
{}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop or paste more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add pictures and clips</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder with all that is in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no picture, clip or folder on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the results&apos; folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save copies of all results…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try everything again that failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear what is finished (files stay)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open Overpaint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show me again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Privacy: blank the camera</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a snapshot</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restarting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not answering…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Private</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reconnecting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Original</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No camera</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>camera</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Private · only you see this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ORIGINAL · {} shows you as you are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ORIGINAL · not restyled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held · {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On air · {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held · not on air</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preview · not on air</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The live part of Overpaint has ended and is being started again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening the session and the source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The camera goes on showing the last picture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No picture from {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that it is plugged in, uncovered, and not used by another program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No camera found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plug one in and look again, or start with something else.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See yourself restyled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only you see the preview, until you go live. A session costs {} credits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The session ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On air</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows a still</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} fps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} s billed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>under a minute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} days</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>_PhotoChip</name>
    <message>
        <source>Photo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adds a reference photo: choose, drop or paste one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a reference photo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the reference photo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>self._desk</name>
    <message>
        <source>That did not work: {} ({}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That did not work.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>self._intake</name>
    <message>
        <source>The picture cannot be saved in {}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>self._reader</name>
    <message>
        <source>That photo cannot be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{} is not a picture that can be read. Use JPEG, PNG or WebP.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
