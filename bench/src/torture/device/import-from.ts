/** Imports into a device the file that another device exports. */
import { readFileSync } from 'node:fs';
import { IMPORT_CHUNK_BYTES } from '../../../../packages/contract/src/index.ts';
import { createSettings } from '../../../../desktop/src/host/settings/index.ts';
import type { Store } from '../../../../desktop/src/host/store/index.ts';
import { createExporter, createImporter } from '../../../../desktop/src/host/transfer/index.ts';
import { openDeviceStore } from './open-device.ts';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Returns how many practices it has imported. The other device must be closed. */
export async function importFrom(store: Store, dir: string): Promise<number> {
  const importer = createImporter({ store, settings: createSettings(store), logger });
  const { importId } = await importer.begin();
  const content = readFileSync(await exportOf(dir, store.clock.now));
  for (let offset = 0; offset < content.length; offset += IMPORT_CHUNK_BYTES) {
    const bytes = new Blob([content.subarray(offset, offset + IMPORT_CHUNK_BYTES)]);
    await importer.append({ importId, offset, bytes });
  }
  const preview = await importer.preview({ importId });
  if (!preview.ok) throw new Error(`the file cannot be imported: ${preview.error.code}`);
  const imported = await importer.apply({ importId });
  await importer.close();
  if (!imported.ok) throw new Error(`the file was not imported: ${imported.error.code}`);
  return imported.value.practices;
}

async function exportOf(dir: string, now: () => Date): Promise<string> {
  const { store } = await openDeviceStore(dir, now);
  const fetchEverything = async (): Promise<boolean> => true;
  const listCopies = async (): Promise<[]> => [];
  const { file } = await createExporter({
    store,
    settings: createSettings(store),
    fetchEverything,
    listCopies,
  }).exportAll();
  store.close();
  return file;
}
