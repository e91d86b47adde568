export { createMail, type Mail, type MailParts } from './mail.ts';
export type { SendResult, MailTransport, OutgoingMail } from '../ports/mail/mail-transport.ts';
export { createMailSchedule } from './queue/schedule.ts';
export { UNSUBSCRIBE_PATH } from './unsubscribe/unsubscribe.ts';
export { UPGRADE_DISMISSAL_PATH } from './unsubscribe/upgrade-dismissal.ts';
export { previewMail } from './templates/preview.ts';
export { SAMPLE_MAILS } from './templates/samples.ts';
