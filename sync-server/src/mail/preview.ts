/** Shows a mail with made-up data, as it would be sent. */
import type { MailKind } from './templates/index.ts';
import type { MailContent, MailFrame } from './templates/mail-body.ts';
import { sampleData } from './templates/samples.ts';

export async function previewMail(kind: MailKind, step: string, frame: MailFrame): Promise<MailContent> {
  const { renderMail } = await import('./templates/index.ts');
  return renderMail({ kind, step, data: sampleData(frame.origin)[kind] }, frame);
}
