/**
 * Leaves out the rows of an export that cannot be stored because their parent row is neither in the file nor on this
 * device: the turns of a session that the learner discarded or that had not been downloaded yet. Everything else can be
 * imported without them.
 */
import { entities, type Field } from '@parley/domain';
import type { LearnerKey, Store, Values } from '../store/index.ts';
import { findStoredRow } from './find-stored-row.ts';
import type { ReadExport } from './read-export.ts';

/** The tables with parent rows. Each learner has one profile, so that is never missing. */
export const PARENT_KEYS = ['userCourseInteraction', 'practiceHistory'] as const satisfies readonly LearnerKey[];
type ParentKey = (typeof PARENT_KEYS)[number];

interface Parent {
  key: ParentKey;
  id: string;
}

/** The parent rows of this row. */
export function parentsOf(key: LearnerKey, row: Values): Parent[] {
  return Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { references }]): Parent[] => {
    const parentKey = PARENT_KEYS.find((each) => entities[each].name === references?.entity);
    const id = row[name];
    return parentKey !== undefined && typeof id === 'string' ? [{ key: parentKey, id }] : [];
  });
}

/** `keepsDeleted` says whether rows that are deleted in the file are imported as deleted rows. */
export function withoutOrphans(
  store: Store,
  file: ReadExport,
  { keepsDeleted }: { keepsDeleted: boolean },
): ReadExport {
  const isKnown = new Map<string, boolean>();
  const findHere = {
    userCourseInteraction: findStoredRow(store, 'userCourseInteraction'),
    practiceHistory: findStoredRow(store, 'practiceHistory'),
  };

  function hasParent({ key, id }: Parent): boolean {
    let known = isKnown.get(id);
    if (known === undefined) {
      const inFile = file.find(id);
      known =
        inFile?.table === entities[key].name
          ? keepsDeleted || !isDeleted(inFile.json)
          : findHere[key](id) !== undefined;
      isKnown.set(id, known);
    }
    return known;
  }

  return {
    ...file,
    *rows(key) {
      for (const row of file.rows(key)) if (parentsOf(key, row.values).every(hasParent)) yield row;
    },
  };
}

const isDeleted = (json: string): boolean => typeof (JSON.parse(json) as Values)['deletedAt'] === 'string';
