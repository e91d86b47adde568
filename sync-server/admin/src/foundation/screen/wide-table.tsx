/** A table that scrolls sideways where it does not fit, with the mouse and the keyboard. */
import { t } from '@parley/i18n';
import type { ReactElement, ReactNode } from 'react';
import table from './table.module.css';

export const WideTable = ({ name, children }: { name: string; children: ReactNode }): ReactElement => (
  <div className={table['scroll']} tabIndex={0} role="region" aria-label={t('{name}, table', { name })}>
    <table className={table['table']}>{children}</table>
  </div>
);
