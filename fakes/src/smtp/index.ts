export { type ReceivedMail, type SmtpFault, type SmtpFake, startSmtpFake } from './smtp-fake.ts';
