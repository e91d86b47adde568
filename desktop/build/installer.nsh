; Asks at uninstallation whether the learner's work goes too, and removes what the app has entered in the registry. The default keeps the work.
; An update does neither.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Delete what you practised on this computer as well? Your recordings and results on this computer cannot be brought back. What is on a server stays there." /SD IDNO IDNO keepWork
      ; The work is always in the learner's own folder, but for all users $APPDATA is ProgramData.
      ${if} $installMode == "all"
        SetShellVarContext current
      ${endIf}
      RMDir /r "$APPDATA\Parley"
      ${if} $installMode == "all"
        SetShellVarContext all
      ${endIf}
    keepWork:
    ; The app itself enters these for its user when it runs.
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
    DeleteRegKey HKCU "Software\Classes\parley"
  ${endIf}
!macroend
