/** Reads a whole list page by page, although its rows may change meanwhile. */

interface CollectRequest<Row> {
  loadPage: (request: { page: number; pageSize: number }) => Promise<{ total: number; rows: readonly Row[] }>;
  rowId: (row: Row) => string;
  pageSize: number;
  onProgress: (done: number) => void;
}

const MAX_TRIES = 3;

/** A list that changed while it was read is read again; one that never comes to rest lacks rows rather than having some twice. */
export async function collectRows<Row>(request: CollectRequest<Row>): Promise<Row[]> {
  for (let tries = 1; ; tries += 1) {
    const { rows, isComplete } = await collectOnce(request);
    if (isComplete || tries === MAX_TRIES) return rows;
  }
}

async function collectOnce<Row>({
  loadPage,
  rowId,
  pageSize,
  onProgress,
}: CollectRequest<Row>): Promise<{ rows: Row[]; isComplete: boolean }> {
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
  // A row that was added or removed moves the rows behind it to another page, where they are read twice or missed.
  const isComplete = totals.size === 1 && loaded === rowsById.size;
  return { rows: [...rowsById.values()], isComplete };
}
