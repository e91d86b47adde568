/** Parts of a screen, one of which is shown at a time. */
import type { ReactElement, ReactNode } from 'react';
import * as Aria from 'react-aria-components';
import { cx } from '../class-names.ts';
import css from './controls.module.css';

export function Tabs<Id extends string>(props: {
  label: string;
  /** The id of the tab that is shown first; the first one by default. */
  defaultTab?: Id;
  onSelect?: (id: Id) => void;
  tabs: readonly { id: Id; title: string; content: ReactNode }[];
}): ReactElement {
  return (
    <Aria.Tabs
      className={cx(css['tabs'])}
      {...(props.defaultTab === undefined ? {} : { defaultSelectedKey: props.defaultTab })}
      onSelectionChange={(key) => {
        const chosen = props.tabs.find(({ id }) => id === key);
        if (chosen !== undefined) props.onSelect?.(chosen.id);
      }}
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
