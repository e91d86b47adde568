/** What there is to drill, by how much is said at once; or a text of one's own. */
import { type Drill, DRILL_KINDS, type DrillKind, MAX_DRILL_CHARACTERS } from '@parley/contract';
import { Button, Card, Quiet, Row, Stack, Tabs, TextField } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, Screen } from '../app/screen.tsx';
import css from './drill.module.css';

const TITLES: Record<DrillKind, string> = {
  word: 'Words',
  pair: 'Pairs',
  phrase: 'Phrases',
  sentence: 'Sentences',
  passage: 'Passages',
};

const INTROS: Record<DrillKind, string> = {
  word: 'One word at a time, for one sound at a time.',
  pair: 'Two words that differ in one sound. Say one, and see which of them was heard.',
  phrase: 'A few words that belong together.',
  sentence: 'Whole sentences, with their rhythm and melody.',
  passage: 'Read aloud for one to three minutes. Every word is scored.',
};

export function DrillsScreen(): ReactElement {
  const { queries } = useHost();
  const drills = useQuery(queries.drill.list.queryOptions());
  return (
    <Screen title="Drills" intro="Say something short and hear at once how it was. It all stays on this computer.">
      <Answered query={drills} waiting="Loading the drills">
        {(all) => (
          <Tabs
            label="How much to say"
            tabs={[
              ...DRILL_KINDS.map((kind) => ({
                id: kind,
                title: TITLES[kind],
                content: <Kind kind={kind} drills={all.filter((drill) => drill.kind === kind)} />,
              })),
              { id: 'own', title: 'Your own text', content: <OwnText /> },
            ]}
          />
        )}
      </Answered>
    </Screen>
  );
}

function Kind({ kind, drills }: { kind: DrillKind; drills: readonly Drill[] }): ReactElement {
  const groups = Map.groupBy(drills, ({ trains }) => trains);
  return (
    <Stack>
      <Quiet>{INTROS[kind]}</Quiet>
      <div className={css['groups']} data-kind={kind}>
        {[...groups].map(([trains, group]) => (
          <Card key={trains}>
            <h2>{trains}</h2>
            <ul className={css['texts']} data-kind={kind}>
              {group.map(({ text }) => (
                <li key={text}>
                  <Link to="/drills/say" search={{ text }} className={css['text']}>
                    {kind === 'passage' ? `${text.split(' ').slice(0, 14).join(' ')} …` : text}
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

function OwnText(): ReactElement {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const open = (): void => {
    if (text.trim() !== '') void navigate({ to: '/drills/say', search: { text: text.trim() } });
  };
  return (
    <Card>
      <TextField
        label="What do you want to say?"
        description="In English: a name, a line from tomorrow’s talk, a whole paragraph."
        value={text}
        onChange={setText}
        onSubmit={open}
        maxLength={MAX_DRILL_CHARACTERS}
      />
      <Row>
        <Button look="primary" onPress={open} isDisabled={text.trim() === ''}>
          Say this
        </Button>
      </Row>
    </Card>
  );
}
