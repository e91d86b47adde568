/**
 * Finds text that is longer than the server accepts in a document that is being written, such as a pasted description.
 * The server would refuse the whole document, and could only say where the problem is.
 */
import { type ContentDocument, contentDocuments, type ContentFinding, type ContentKind, explain } from '@parley/domain';
import { placeName } from '../../foundation/screen/place-name.ts';

export function findExcess(kind: ContentKind, document: ContentDocument): ContentFinding[] {
  const issues = contentDocuments[kind].safeParse(document).error?.issues ?? [];
  return issues.flatMap((issue): ContentFinding[] => {
    if (issue.code !== 'too_big') return [];
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    const explanation = explain('value.too_large', { place: placeName(path), limit: Number(issue.maximum) });
    return [{ severity: 'error', path, node: null, ...explanation }];
  });
}
