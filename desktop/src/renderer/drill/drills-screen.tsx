/** Lists the drills by length, or takes the learner's own text. */
import { t } from '@parley/i18n';
import { type Drill, DRILL_KINDS, type DrillKind } from '@parley/contract';
import { Card, MutedText, Stack, Tabs, typographic } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { Explanation } from '../foundation/language/explanations.tsx';
import { OwnText } from '../foundation/screen/own-text.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import css from './drill.module.css';
import type { DrillTab } from './drill-tabs.ts';

const TITLE_BY_KIND: Record<DrillKind, string> = {
  word: t('Words'),
  pair: t('Pairs'),
  phrase: t('Phrases'),
  sentence: t('Sentences'),
  passage: t('Passages'),
};

const INTRO_BY_KIND: Record<DrillKind, string> = {
  word: t('One word at a time, for one sound at a time.'),
  pair: t('Two words that differ in one sound. Say one, and see which one was heard.'),
  phrase: t('A few words that belong together.'),
  sentence: t('Whole sentences, with their rhythm and melody.'),
  passage: t('Read aloud for one to three minutes. Every word is scored.'),
};

export function DrillsScreen(): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  const { kind: shown } = useSearch({ from: '/drills' });
  const drills = useQuery(queries.drill.list.queryOptions());
  /** The tab is also in the address, so that it is still selected after going back. */
  const show = (kind: DrillTab): void =>
    void navigate({ to: '/drills', search: { kind }, replace: true, resetScroll: false });
  return (
    <Screen
      title={t('Drills')}
      intro={t(
        'Say something short and see right away how it went. Words and their scores sync with your account. Your own texts stay on this computer, and so do recordings unless you keep copies.',
      )}
      action={<Link to="/shadow">{t('Shadowing')}</Link>}
    >
      <QueryView query={drills} loadingLabel={t('Loading the drills')}>
        {(all) => (
          <Tabs
            label={t('How much to say')}
            {...(shown === undefined ? {} : { defaultTab: shown })}
            onSelect={show}
            tabs={[
              ...DRILL_KINDS.map((kind) => ({
                id: kind as DrillTab,
                title: TITLE_BY_KIND[kind],
                content: <DrillGroup kind={kind} drills={all.filter((drill) => drill.kind === kind)} />,
              })),
              { id: 'own', title: t('Your own text'), content: <OwnDrill /> },
            ]}
          />
        )}
      </QueryView>
    </Screen>
  );
}

function DrillGroup({ kind, drills }: { kind: DrillKind; drills: readonly Drill[] }): ReactElement {
  const groups = Map.groupBy(drills, ({ trains }) => trains);
  return (
    <Stack>
      <MutedText>{INTRO_BY_KIND[kind]}</MutedText>
      <div className={css['groups']} data-kind={kind}>
        {[...groups].map(([trains, group]) => (
          <Card key={trains}>
            <h2>
              <Explanation english={trains} />
            </h2>
            <ul className={css['texts']} data-kind={kind}>
              {group.map(({ text }) => (
                <li key={text}>
                  <Link to="/drills/say" search={{ text }} className={css['text']} lang="en">
                    {typographic(kind === 'passage' ? `${text.split(' ').slice(0, 14).join(' ')} …` : text)}
                  </Link>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
    </Stack>
  );
}

function OwnDrill(): ReactElement {
  const navigate = useNavigate();
  return (
    <OwnText
      description={t('In English: a name, a line from tomorrow’s talk, a whole paragraph.')}
      startLabel={t('Say this')}
      onStart={(text) => void navigate({ to: '/drills/say', search: { text } })}
    />
  );
}
