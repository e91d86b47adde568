export { createFolderTransport } from './folder-transport.ts';
export { checkSmtp, createSmtpTransport, type SmtpCheck } from './smtp-transport.ts';
