export { type CaughtMail, type Misbehaviour, type SmtpTwin, startSmtpTwin } from './smtp-twin.ts';
