/** Reads a whole list page by page, although its rows may change meanwhile. */

interface CollectRequest<Row> {
  loadPage: (request: { page: number; pageSize: number }) => Promise<{ total: number; rows: readonly Row[] }>;
  rowId: (row: Row) => string;
  pageSize: number;
  onProgress: (done: number) => void;
}

const MAX_TRIES = 3;

interface Collected<Row> {
  rows: Row[];
  /** False if the list changed during every attempt: rows may be missing, but none is duplicated. */
  isComplete: boolean;
}

/** A list that changed while it was read is read again. */
export async function collectRows<Row>(request: CollectRequest<Row>): Promise<Collected<Row>> {
  for (let tries = 1; ; tries += 1) {
    const collected = await collectOnce(request);
    if (collected.isComplete || tries === MAX_TRIES) return collected;
  }
}

async function collectOnce<Row>({
  loadPage,
  rowId,
  pageSize,
  onProgress,
}: CollectRequest<Row>): Promise<Collected<Row>> {
  const rowsById = new Map<string, Row>();
  const totals = new Set<number>();
  let loaded = 0;
  for (let page = 0; ; page += 1) {
    const { total, rows } = await loadPage({ page, pageSize });
    totals.add(total);
    loaded += rows.length;
    for (const row of rows) rowsById.set(rowId(row), row);
    onProgress(rowsById.size);
    if (rows.length < pageSize) break;
  }
  // A row that is added or removed shifts the rows after it to other pages, where they are read twice or missed.
  const isComplete = totals.size === 1 && loaded === rowsById.size;
  return { rows: [...rowsById.values()], isComplete };
}
