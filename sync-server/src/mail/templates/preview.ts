/** Renders a mail with sample data for the preview. */
import type { MailKind } from './index.ts';
import type { MailContent, MailFrame } from './mail-body.ts';
import { sampleData } from './samples.ts';

export async function previewMail(kind: MailKind, step: string, frame: MailFrame): Promise<MailContent> {
  const { renderMail } = await import('./index.ts');
  return renderMail({ kind, step, data: sampleData(frame.origin)[kind] }, frame);
}
