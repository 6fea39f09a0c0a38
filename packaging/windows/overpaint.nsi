; Installer for Windows 10 (1809) and later, 64 bit, for one user: no administrator is asked for.
;
; OverpaintSetup.exe [/S] [/AUTOSTART] [/D=FOLDER]     /S: silent; /AUTOSTART: start when the user signs in; /D last, unquoted
; uninstall.exe [/S] [/PURGE]                          /PURGE: settings, presets, keys and credits, too
; Exit codes of both: 0 done, 1 the user stopped it, 2 it cannot be done; then nothing has changed.
;
; Built by packaging/windows/build.sh: makensis -DBUNDLE=FOLDER overpaint.nsi, FOLDER holding overpaint\, overpaint.ico,
; version.nsh and uninstall.nsh.

Unicode true
Target amd64-unicode
ManifestDPIAware true
ManifestLongPathAware true
RequestExecutionLevel user
!ifdef FAST ; for trying things out: packed in seconds
SetCompress off
!else
SetCompressor /SOLID lzma
SetCompressorDictSize 64
!endif

!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include Sections.nsh
!include WinVer.nsh
!include "${BUNDLE}/version.nsh"

!define APP "Overpaint"
!define WINDOW "$INSTDIR\overpaint-window.exe"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\${APP}"
!define RUN "Software\Microsoft\Windows\CurrentVersion\Run"
!define APP_PATH "Software\Microsoft\Windows\CurrentVersion\App Paths\overpaint.exe"
!define PRESET "Overpaint.Preset"

Name "${APP}"
OutFile "${BUNDLE}/OverpaintSetup.exe"
InstallDir "$LOCALAPPDATA\Programs\${APP}"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
BrandingText "${APP} ${VERSION}"
VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "${APP}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "${APP} Setup"
VIAddVersionKey "CompanyName" "The Overpaint developers"
VIAddVersionKey "LegalCopyright" "GPL-3.0-or-later as a bundle"

!define MUI_ICON "${BUNDLE}/overpaint.ico"
!define MUI_UNICON "${BUNDLE}/overpaint.ico"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "${WINDOW}"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

LangString RUNNING ${LANG_ENGLISH} "Overpaint is running. Quit it (also in the notification area), then try again."
LangString RUNNING ${LANG_GERMAN} "Overpaint läuft. Beenden Sie es (auch im Infobereich der Taskleiste) und versuchen Sie es noch einmal."
LangString TOO_OLD ${LANG_ENGLISH} "Overpaint needs Windows 10, version 1809, or later."
LangString TOO_OLD ${LANG_GERMAN} "Overpaint braucht Windows 10, Version 1809, oder neuer."
LangString NO_ROOM ${LANG_ENGLISH} "There is not enough room on this drive: Overpaint needs $0 MB. Free some, or choose another folder."
LangString NO_ROOM ${LANG_GERMAN} "Auf diesem Laufwerk ist zu wenig Platz: Overpaint braucht $0 MB. Schaffen Sie Platz oder wählen Sie einen anderen Ordner."
LangString NOT_WRITTEN ${LANG_ENGLISH} "Overpaint cannot be written to $INSTDIR. Choose another folder."
LangString NOT_WRITTEN ${LANG_GERMAN} "Overpaint kann nicht in $INSTDIR geschrieben werden. Wählen Sie einen anderen Ordner."
LangString PURGE ${LANG_ENGLISH} "Delete your settings, presets, keys and history, too? Pictures, videos and recordings stay in any case."
LangString PURGE ${LANG_GERMAN} "Auch Ihre Einstellungen, Vorlagen, Schlüssel und Verläufe löschen? Bilder, Videos und Aufnahmen bleiben in jedem Fall."
LangString START ${LANG_ENGLISH} "Start when I sign in"
LangString START ${LANG_GERMAN} "Bei der Anmeldung starten"
LangString DESKTOP ${LANG_ENGLISH} "Shortcut on the desktop"
LangString DESKTOP ${LANG_GERMAN} "Verknüpfung auf dem Desktop"
LangString PRESET_NAME ${LANG_ENGLISH} "Overpaint preset"
LangString PRESET_NAME ${LANG_GERMAN} "Overpaint-Vorlage"

; Says a sentence and ends with exit code 2. In silent mode it goes to the standard output, if there is one.
!macro refuse sentence
    ${If} ${Silent}
        System::Call 'kernel32::GetStdHandle(i -11) p .r9'
        FileWrite $9 "${sentence}$\r$\n"
    ${Else}
        MessageBox MB_OK|MB_ICONSTOP "${sentence}"
    ${EndIf}
    SetErrorLevel 2
    Quit
!macroend

; A running program's file cannot be opened for writing.
!macro end_of_running prefix
Function ${prefix}wait_for_end
    again:
    StrCpy $1 ""
    ${If} ${FileExists} "$INSTDIR\overpaint.exe"
        ClearErrors
        FileOpen $1 "$INSTDIR\overpaint.exe" a
        ${If} ${Errors}
            StrCpy $1 "open"
        ${Else}
            FileClose $1
            StrCpy $1 ""
        ${EndIf}
    ${EndIf}
    ${If} $1 == ""
    ${AndIf} ${FileExists} "${WINDOW}"
        ClearErrors
        FileOpen $1 "${WINDOW}" a
        ${If} ${Errors}
            StrCpy $1 "open"
        ${Else}
            FileClose $1
            StrCpy $1 ""
        ${EndIf}
    ${EndIf}
    ${If} $1 == "open"
        ${IfNot} ${Silent}
            MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNNING)" IDRETRY again
            SetErrorLevel 1
            Quit
        ${EndIf}
        !insertmacro refuse "$(RUNNING)"
    ${EndIf}
FunctionEnd
!macroend
!insertmacro end_of_running ""
!insertmacro end_of_running "un."

Section "${APP}" SECTION_APP
    SectionIn RO
    Call wait_for_end
    SectionGetSize ${SECTION_APP} $0
    IntOp $0 $0 / 1000
    ${GetRoot} "$INSTDIR" $1
    ClearErrors
    ${DriveSpace} "$1\" "/D=F /S=M" $2
    ${IfNot} ${Errors}
    ${AndIf} $2 < $0
        !insertmacro refuse "$(NO_ROOM)"
    ${EndIf}
    ; What an older version had and this one has not must not stay.
    ${If} ${FileExists} "$INSTDIR\uninstall.exe"
        ExecWait '"$INSTDIR\uninstall.exe" /S /UPGRADE _?=$INSTDIR'
    ${EndIf}
    SetOutPath "$INSTDIR"
    ClearErrors
    File /r "${BUNDLE}/overpaint/*"
    ${If} ${Errors}
        !insertmacro refuse "$(NOT_WRITTEN)"
    ${EndIf}
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\${APP}.lnk" "${WINDOW}"
    WriteRegStr HKCU "${APP_PATH}" "" "$INSTDIR\overpaint.exe"
    WriteRegStr HKCU "Software\Classes\.overpaint" "" "${PRESET}"
    WriteRegStr HKCU "Software\Classes\${PRESET}" "" "$(PRESET_NAME)"
    WriteRegStr HKCU "Software\Classes\${PRESET}\DefaultIcon" "" "${WINDOW},0"
    WriteRegStr HKCU "Software\Classes\${PRESET}\shell\open\command" "" '"${WINDOW}" "%1"'
    WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "${APP}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "${WINDOW},0"
    WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Overpaint developers"
    WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
    WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
    SectionGetSize ${SECTION_APP} $0
    WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
    ${RefreshShellIcons}
SectionEnd

; The value that the app's own setting has (desktop/overpaint/autostart/windows.py).
Section /o "$(START)" SECTION_START
    WriteRegStr HKCU "${RUN}" "overpaint" '"${WINDOW}"'
SectionEnd

Section /o "$(DESKTOP)" SECTION_DESKTOP
    CreateShortcut "$DESKTOP\${APP}.lnk" "${WINDOW}"
SectionEnd

Function .onInit
    ${IfNot} ${AtLeastWin10}
    ${OrIfNot} ${AtLeastBuild} 17763
        !insertmacro refuse "$(TOO_OLD)"
    ${EndIf}
    ${GetParameters} $0
    ClearErrors
    ${GetOptions} $0 "/AUTOSTART" $1
    ${IfNot} ${Errors}
        !insertmacro SelectSection ${SECTION_START}
    ${EndIf}
FunctionEnd

Section "Uninstall"
    Call un.wait_for_end
    ${GetParameters} $0
    SetOutPath "$TEMP" ; the current folder cannot be removed
    !include "${BUNDLE}/uninstall.nsh"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR" ; only an empty one
    ClearErrors
    ${GetOptions} $0 "/UPGRADE" $1
    ${IfNot} ${Errors}
        Return
    ${EndIf}
    Delete "$SMPROGRAMS\${APP}.lnk"
    Delete "$DESKTOP\${APP}.lnk"
    DeleteRegValue HKCU "${RUN}" "overpaint"
    DeleteRegKey HKCU "${APP_PATH}"
    DeleteRegKey HKCU "Software\Classes\${PRESET}"
    DeleteRegValue HKCU "Software\Classes\.overpaint" ""
    DeleteRegKey /ifempty HKCU "Software\Classes\.overpaint"
    DeleteRegKey HKCU "${UNINSTALL}"
    ${RefreshShellIcons}
    ClearErrors
    ${GetOptions} $0 "/PURGE" $1
    ${If} ${Errors}
        MessageBox MB_YESNO|MB_DEFBUTTON2 "$(PURGE)" /SD IDNO IDNO keep
    ${EndIf}
    RMDir /r "$LOCALAPPDATA\overpaint" ; data and cache (platformdirs)
    keep:
SectionEnd
