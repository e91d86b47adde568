import type { ImportPreview } from '@parley/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { importedSentence, ImportSummary } from './import-data.tsx';

const aPreview = (change: Partial<ImportPreview> = {}): ImportPreview => ({
  exportedAt: new Date('2026-11-18T10:00:00Z'),
  email: null,
  isComplete: true,
  practices: { inFile: 17, toImport: 12 },
  deletedHere: 0,
  words: { inFile: 342, toImport: 300 },
  unusableWords: 0,
  recordings: { inFile: 18, toImport: 18 },
  others: { inFile: 40, toImport: 30 },
  ...change,
});

describe('the preview of an import', () => {
  it('shows the owner of the file, and what is new in it', () => {
    const html = renderToStaticMarkup(<ImportSummary preview={aPreview({ email: 'ana@example.com' })} />);
    expect(html).toContain('by ana@example.com');
    expect(html).toContain('Practices: 12 of 17 are new or newer');
    expect(html).toContain('Recordings: 18 of 18 are new');
  });

  it('says when conversations are missing in the file', () => {
    const sentence = 'Some sessions aren’t in this file';
    expect(renderToStaticMarkup(<ImportSummary preview={aPreview()} />)).not.toContain(sentence);
    expect(renderToStaticMarkup(<ImportSummary preview={aPreview({ isComplete: false })} />)).toContain(sentence);
  });

  it('says how many words are left out', () => {
    const html = renderToStaticMarkup(<ImportSummary preview={aPreview({ unusableWords: 1 })} />);
    expect(html).toContain('1 word is left out, because the file doesn’t say which word it was');
    expect(renderToStaticMarkup(<ImportSummary preview={aPreview()} />)).not.toContain('left out');
  });

  it('says when there is nothing to import', () => {
    const none = { inFile: 3, toImport: 0 };
    const html = renderToStaticMarkup(
      <ImportSummary preview={aPreview({ practices: none, words: none, recordings: none, others: none })} />,
    );
    expect(html).toContain('Everything in this file is already here.');
    expect(html).not.toContain('deleted');
  });

  it('says how many practices were deleted here, and does not claim to have them', () => {
    const none = { inFile: 3, toImport: 0 };
    const html = renderToStaticMarkup(
      <ImportSummary
        preview={aPreview({ practices: none, deletedHere: 1, words: none, recordings: none, others: none })}
      />,
    );
    expect(html).toContain('1 practice was deleted here and stays deleted.');
    expect(html).toContain('Everything else in this file is already here.');
    const mixed = renderToStaticMarkup(<ImportSummary preview={aPreview({ deletedHere: 2 })} />);
    expect(mixed).toContain('2 practices were deleted here and stay deleted.');
    expect(mixed).toContain('Practices: 12 of 17 are new or newer');
  });
});

describe('the end of an import', () => {
  it('reports what was imported, and which recordings were not', () => {
    const result = { practices: 12, words: 300, recordings: 17, damagedRecordings: 0 };
    expect(importedSentence(result)).toBe('Imported 12 practices, 300 words and 17 recordings.');
    expect(importedSentence({ ...result, damagedRecordings: 1 })).toContain('1 recording is damaged in the file');
  });
});
