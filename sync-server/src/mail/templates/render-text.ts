/** Renders a mail as plain text with short lines. Each address has its own line, so that no client breaks it. */
import { assertNever } from '@parley/domain';
import { type Block, type MailBody, type MailFrame } from './mail-body.ts';

const MAX_LINE_LENGTH = 72;

export function renderText(body: MailBody, { origin, unsubscribeUrl, school, localizer: { t } }: MailFrame): string {
  const stop = unsubscribeUrl === null ? [] : [`${t('Stop these reminders')}:\n${unsubscribeUrl}`];
  const footer = ['-- ', wrap(body.why), ...stop, `${school.name}\n${origin}`];
  return `${[body.title, '='.repeat(widthOf(body.title))].join('\n')}\n\n${[...body.blocks.map(renderBlock), ...footer].join('\n\n')}\n`;
}

function renderBlock(block: Block): string {
  switch (block.type) {
    case 'text':
    case 'quiet':
      return wrap(block.text);
    case 'code':
      return `    ${block.code}`;
    case 'button':
    case 'link':
      return `${block.label}:\n${block.href}`;
    case 'facts':
      return block.rows.map(([name, value]) => `${name}: ${value}`).join('\n');
    default:
      return assertNever(block);
  }
}

/** Chinese and Japanese characters are twice as wide as letters. */
const widthOf = (text: string): number => text.length + (text.match(/[\u3000-\u9fff\uff00-\uffef]/g)?.length ?? 0);

/** A script without spaces stays on one line, which mail clients wrap according to its rules. */
function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > MAX_LINE_LENGTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
