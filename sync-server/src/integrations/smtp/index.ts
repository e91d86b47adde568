export { createFolderTransport } from './folder-transport.ts';
export { createSmtpTransport } from './smtp-transport.ts';
