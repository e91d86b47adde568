/** Makes one edit through the store, and tells what the outbox holds of it, before anything else can run. */
import {
  entities,
  mergePronunciationWords,
  PronunciationWords,
  type PronunciationWord,
  wireSchema,
} from '@parley/domain';
import {
  insertRow,
  isDiskFull,
  type LearnerKey,
  type NewRow,
  removeRow,
  type Store,
  updateRow,
} from '../../../../desktop/src/host/store/index.ts';
import type { Edit, Edited, Wire } from '../messages.ts';
import { readOutboxOf, waitingIds } from './outbox.ts';

interface StoreEdit {
  key: LearnerKey;
  rowId: string;
  make: () => void;
}

export function applyEdit(store: Store, edit: Edit): Edited {
  const { key, rowId, make } = toStoreEdit(store, edit);
  const table = entities[key].name;
  const before = readOutboxOf(store, table, rowId);
  try {
    make();
  } catch (error) {
    if (isDiskFull(error)) return { outcome: 'full' };
    if (error instanceof Error && error.message.startsWith('no row to change')) return { outcome: 'absent' };
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT'))
      return { outcome: 'refused' };
    throw error;
  }
  const after = readOutboxOf(store, table, rowId);
  const known = new Set(before.map(({ mutationId }) => mutationId));
  const entry = after.find(({ mutationId }) => !known.has(mutationId));
  if (entry === undefined) return { outcome: 'unchanged' };
  const absorbed = before.flatMap(({ mutationId, fields }) => {
    const left = after.find((row) => row.mutationId === mutationId)?.fields ?? {};
    const gone = Object.keys(fields).filter((name) => !(name in left));
    return gone.length > 0 ? [{ mutationId, fields: gone }] : [];
  });
  return { outcome: 'made', entry, absorbed, waiting: waitingIds(store) };
}

function toStoreEdit(store: Store, edit: Edit): StoreEdit {
  const { userId } = store.identity();
  switch (edit.op) {
    case 'word':
      return trainWord(store, edit);
    case 'insert': {
      const { key, rowId } = edit;
      const values = decode(key, { ...edit.values, [entities[key].key]: rowId, userId });
      return { key, rowId, make: () => insertRow(store, key, values as NewRow<typeof key>) };
    }
    case 'update': {
      const { key, values } = edit;
      // Null stands for the learner, whose id only the device knows.
      const rowId = edit.rowId ?? userId;
      return {
        key,
        rowId,
        make: () => updateRow(store, key, rowId, decode(key, values) as Partial<NewRow<typeof key>>),
      };
    }
    case 'delete':
      return { key: edit.key, rowId: edit.rowId, make: () => removeRow(store, edit.key, edit.rowId) };
  }
}

function decode(key: LearnerKey, values: Wire): Record<string, unknown> {
  const { shape } = wireSchema(entities[key]);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shape[name]?.parse(value)]));
}

/** As the product does it: the whole list with one entry renewed; the list is the learner's one row. */
function trainWord(store: Store, edit: Extract<Edit, { op: 'word' }>): StoreEdit {
  const key = 'pronunciationImprovementSummary';
  const { userId } = store.identity();
  const stored = store.sqlite
    .prepare<[string], string>('SELECT words FROM pronunciation_improvement_summary WHERE id = ?')
    .pluck()
    .get(userId);
  const words = stored === undefined ? [] : PronunciationWords.parse(JSON.parse(stored));
  const known = words.find(({ word }) => word === edit.word);
  const entry: PronunciationWord = {
    word: edit.word,
    ipa: '',
    attempts: (known?.attempts ?? 0) + 1,
    meanAccuracy: edit.accuracy,
    worstPhonemes: [],
    lastPracticedAt: store.clock.now().toISOString(),
    due: null,
    stability: null,
    difficulty: null,
  };
  const merged = mergePronunciationWords(words, [entry]);
  return {
    key,
    rowId: userId,
    make: () =>
      stored === undefined
        ? insertRow(store, key, { id: userId, userId, words: merged })
        : updateRow(store, key, userId, { words: merged }),
  };
}
