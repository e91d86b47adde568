/** The numbers of a plot as a table, which opens below it. */
import { t } from '@parley/i18n';
import type { ReactElement, ReactNode } from 'react';
import table from '../foundation/screen/table.module.css';

export const TableBehind = ({ name, children }: { name: string; children: ReactNode }): ReactElement => (
  <details>
    <summary>{t('Show as a table')}</summary>
    <div className={table['scroll']} tabIndex={0} role="region" aria-label={t('{name}, table', { name })}>
      <table className={table['table']}>{children}</table>
    </div>
  </details>
);
