/** Sets a mail in plain text: short lines, and every address on a line of its own, where no client breaks it. */
import { assertNever } from '@parley/domain';
import { type Block, type MailBody, type MailFrame, STOP_LABEL } from './mail-body.ts';

const LINE_CHARACTERS = 72;

export function renderText(body: MailBody, { origin, unsubscribeUrl }: MailFrame): string {
  const stop = unsubscribeUrl === null ? [] : [`${STOP_LABEL}:\n${unsubscribeUrl}`];
  const foot = ['-- ', wrapped(body.why), ...stop, `Parley\n${origin}`];
  return `${[body.title, '='.repeat(body.title.length)].join('\n')}\n\n${[...body.blocks.map(blockOf), ...foot].join('\n\n')}\n`;
}

function blockOf(block: Block): string {
  switch (block.type) {
    case 'text':
    case 'quiet':
      return wrapped(block.text);
    case 'code':
      return `    ${block.code}`;
    case 'button':
      return `${block.label}:\n${block.href}`;
    case 'facts':
      return block.rows.map(([name, value]) => `${name}: ${value}`).join('\n');
    default:
      return assertNever(block);
  }
}

function wrapped(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > LINE_CHARACTERS) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
