export { type Bounce, type MailInTrouble } from './bounces.ts';
export { createMail, type Mail, type MailParts } from './mail.ts';
export type { HandOver, MailTransport, OutgoingMail } from './ports.ts';
export { type MailSchedule, startMailSchedule } from './schedule.ts';
export type { MailDataByKind, MailKind } from './templates/index.ts';
export { UNSUBSCRIBE_PATH } from './unsubscribe.ts';
export { previewMail } from './preview.ts';
export { SAMPLE_MAILS } from './templates/samples.ts';
