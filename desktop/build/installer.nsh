; Asks at uninstallation whether the learner's work goes too, and removes what the app has entered in the registry. The default keeps the work.
; An update does neither.
; NSIS has chosen $LANGUAGE among the languages of the installer. This file is read before those are declared, so it cannot use LangString.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    Push $R0
    ${if} $LANGUAGE == 1031
      StrCpy $R0 "Auch löschen, was du auf diesem Computer geübt hast? Aufnahmen und Ergebnisse auf diesem Computer lassen sich nicht wiederherstellen. Was auf einem Server liegt, bleibt dort."
    ${elseIf} $LANGUAGE == 3082
      StrCpy $R0 "¿Eliminar también lo que has practicado en este ordenador? Las grabaciones y los resultados de este ordenador no se pueden recuperar. Lo que está en un servidor se queda allí."
    ${elseIf} $LANGUAGE == 1046
      StrCpy $R0 "Excluir também o que você praticou neste computador? As gravações e os resultados deste computador não podem ser recuperados. O que está em um servidor continua lá."
    ${elseIf} $LANGUAGE == 1041
      StrCpy $R0 "このコンピューターでの練習内容も削除しますか？このコンピューターにある録音と結果は元に戻せません。サーバーにあるものはそのまま残ります。"
    ${elseIf} $LANGUAGE == 2052
      StrCpy $R0 "是否同时删除你在此电脑上的练习内容？此电脑上的录音和结果将无法恢复。服务器上的内容会保留。"
    ${elseIf} $LANGUAGE == 1025
      StrCpy $R0 "هل تريد أيضًا حذف ما تدرّبت عليه على هذا الحاسوب؟ لا يمكن استرجاع التسجيلات والنتائج الموجودة عليه. أما ما هو على خادم فيبقى هناك."
    ${else}
      StrCpy $R0 "Delete your practice on this computer as well? Recordings and results on this computer can’t be brought back. Anything on a server stays there."
    ${endIf}
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "$R0" /SD IDNO IDNO keepWork
      ; The work is always in the learner's own folder, but for all users $APPDATA is ProgramData.
      ${if} $installMode == "all"
        SetShellVarContext current
      ${endIf}
      RMDir /r "$APPDATA\Parley"
      ${if} $installMode == "all"
        SetShellVarContext all
      ${endIf}
    keepWork:
    Pop $R0
    ; The app itself enters these for its user when it runs.
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
    DeleteRegKey HKCU "Software\Classes\parley"
  ${endIf}
!macroend
