/** Parts of a screen, one of which is shown. */
import type { ReactElement, ReactNode } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from '../class-names.ts';
import css from './controls.module.css';

export function Tabs(props: {
  label: string;
  /** The id of the tab that is shown first; the first one by default. */
  defaultTab?: string;
  tabs: readonly { id: string; title: string; content: ReactNode }[];
}): ReactElement {
  return (
    <Aria.Tabs
      className={cx(css['tabs'])}
      {...(props.defaultTab === undefined ? {} : { defaultSelectedKey: props.defaultTab })}
    >
      <Aria.TabList className={cx(css['tabList'])} aria-label={props.label}>
        {props.tabs.map((tab) => (
          <Aria.Tab key={tab.id} id={tab.id} className={cx(css['tab'])}>
            {tab.title}
          </Aria.Tab>
        ))}
      </Aria.TabList>
      {props.tabs.map((tab) => (
        <Aria.TabPanel key={tab.id} id={tab.id}>
          {tab.content}
        </Aria.TabPanel>
      ))}
    </Aria.Tabs>
  );
}
