export { MAIL_KIND_NAMES, mailStateSentence } from './mail-sentences.ts';
export { MailScreen } from './mail-screen.tsx';
