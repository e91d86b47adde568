/** Says what kind of thing waits for an admin. */
import type { ReactElement } from 'react';
import { PanelIcon, type PanelIconName } from '../foundation/icon/panel-icon.tsx';
import css from './home.module.css';

export const KindCell = ({ icon, name }: { icon: PanelIconName; name: string }): ReactElement => (
  <td>
    <span className={css['kind']}>
      <PanelIcon name={icon} />
      {name}
    </span>
  </td>
);
