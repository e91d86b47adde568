export { createFolderTransport } from './folder-transport.ts';
export { checkSmtp, createSmtpTransport } from './smtp-transport.ts';
