import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { renewProtocolDocument } from './describe-protocol.ts';

const document = await readFile(new URL('../../../../docs/protocol.md', import.meta.url), 'utf8');

describe('docs/protocol.md', () => {
  it('lists the limits and tables as the code has them (npm run protocol renews it)', () => {
    expect(document).toBe(renewProtocolDocument(document));
  });

  it('would not pass with another rule, limit or field', () => {
    for (const [said, other] of [
      ['| maximum |', '| last writer |'],
      ['1048576', '1114112'],
      ['`previousTurnId`', '`precedingTurnId`'],
    ] as const) {
      expect(document).toContain(said);
      const changed = document.replaceAll(said, other);
      expect(renewProtocolDocument(changed)).not.toBe(changed);
    }
  });
});
