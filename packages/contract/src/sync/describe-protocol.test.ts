import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { updateProtocolDocument } from './describe-protocol.ts';

const document = await readFile(new URL('../../../../docs/protocol.md', import.meta.url), 'utf8');

describe('docs/protocol.md', () => {
  it('lists the current limits and tables (npm run protocol updates it)', () => {
    expect(document).toBe(updateProtocolDocument(document));
  });

  it('differs when a rule, limit or field changes', () => {
    for (const [said, other] of [
      ['| maximum |', '| last writer |'],
      ['1048576', '1114112'],
      ['`previousTurnId`', '`precedingTurnId`'],
    ] as const) {
      expect(document).toContain(said);
      const changed = document.replaceAll(said, other);
      expect(updateProtocolDocument(changed)).not.toBe(changed);
    }
  });
});
