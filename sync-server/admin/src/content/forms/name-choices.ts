/** Names what can be added to a course. Two documents with one title are told apart by when and by whom they were edited. */
import type { ContentSummary } from '@parley/contract';
import type { CourseItem } from '@parley/domain';
import { formatDateTime } from '../../foundation/screen/format.ts';
import { KINDS } from '../kinds.ts';

export interface CourseChoice extends CourseItem {
  name: string;
  /** Shown in brackets after the name. */
  detail: string;
}

export const nameChoices = (
  kind: CourseItem['kind'],
  rows: readonly Pick<ContentSummary, 'id' | 'title' | 'editedAt' | 'editedBy'>[],
): CourseChoice[] =>
  rows.map(({ id, title, editedAt, editedBy }) => {
    const isShared = rows.filter((row) => row.title === title).length > 1;
    return {
      kind,
      itemId: id,
      name: title === '' ? KINDS[kind].untitled : title,
      detail: [KINDS[kind].one, ...(isShared ? [formatDateTime(editedAt), editedBy] : [])]
        .filter((part) => part !== null)
        .join(', '),
    };
  });
