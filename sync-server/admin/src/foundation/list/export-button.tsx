/** Exports every matching row as CSV, page by page, so that a long list needs no long request. */
import { t } from '@parley/i18n';
import { Button } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { errorSentence } from '../api/error-sentence.ts';
import { formatNumber } from '../screen/format.ts';
import { toFieldDay } from '../screen/time-zone.ts';
import { collectRows } from './collect-rows.ts';
import { downloadCsv } from './csv.ts';
import css from './list.module.css';

const EXPORT_PAGE_SIZE = 500;

interface ExportButtonProps<Row> {
  name: string;
  /** Columns without text are not exported. */
  columns: readonly { title: string; csv?: (row: Row) => string }[];
  rowId: (row: Row) => string;
  total: number;
  loadPage: (request: { page: number; pageSize: number }) => Promise<{ total: number; rows: readonly Row[] }>;
}

export function ExportButton<Row>({ name, columns, rowId, total, loadPage }: ExportButtonProps<Row>): ReactElement {
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isComplete, setIsComplete] = useState(true);
  const exported = columns.flatMap(({ title, csv }) => (csv === undefined ? [] : [{ title, csv }]));
  const run = async (): Promise<void> => {
    setError(null);
    setIsComplete(true);
    setDone(0);
    try {
      const collected = await collectRows({ loadPage, rowId, pageSize: EXPORT_PAGE_SIZE, onProgress: setDone });
      const day = toFieldDay(new Date().toISOString());
      downloadCsv(`${name.toLowerCase().replaceAll(' ', '-')}-${day}`, [
        exported.map(({ title }) => title),
        ...collected.rows.map((row) => exported.map((column) => column.csv(row))),
      ]);
      setIsComplete(collected.isComplete);
    } catch (failure) {
      setError(failure);
    } finally {
      setDone(null);
    }
  };
  return (
    <div className={css['export']}>
      <Button onPress={() => void run()} isDisabled={done !== null || total === 0}>
        {done === null
          ? t('Export as CSV')
          : t('{done} of {total}…', { done: formatNumber(done), total: formatNumber(total) })}
      </Button>
      {!isComplete && (
        <p role="status">
          {t('The list changed during the export, so some rows may be missing. Export it again to be sure.')}
        </p>
      )}
      {error !== null && <p role="alert">{errorSentence(error)}</p>}
    </div>
  );
}
