/** The catalogue: find a practice by what it is about, or follow a course. */
import type { CourseCard, PracticeCard } from '@parley/contract';
import {
  Badge,
  Button,
  EmptyState,
  type Option,
  optionsOf,
  Quiet,
  Row,
  Segments,
  Select,
  Stack,
  TextField,
} from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { LEVEL_NAMES } from '../app/level-names.ts';
import { Answered, Screen } from '../app/screen.tsx';
import css from './catalogue.module.css';
import { findPractices, NO_FILTER, type PracticeFilter } from './find-practices.ts';
import { PracticeCardView } from './practice-card.tsx';

type View = 'practices' | 'courses';
const VIEW_NAMES: Record<View, string> = { practices: 'All practices', courses: 'Courses' };

export function PractiseScreen(): ReactElement {
  const { queries } = useHost();
  const [view, setView] = useState<View>('practices');
  const practices = useQuery(queries.catalogue.practices.queryOptions());
  const courses = useQuery({ ...queries.catalogue.courses.queryOptions(), enabled: view === 'courses' });
  return (
    <Screen
      title="Practise"
      intro="Pick a situation from work. It takes about five minutes."
      action={<Segments label="Show" hideLabel value={view} onChange={setView} options={optionsOf(VIEW_NAMES)} />}
    >
      {view === 'practices' ? (
        <Answered query={practices} waiting="Loading practices">
          {(cards) => <Practices cards={cards} />}
        </Answered>
      ) : (
        <Answered query={courses} waiting="Loading courses">
          {(list) => list.map((course) => <Course key={course.courseId} course={course} />)}
        </Answered>
      )}
    </Screen>
  );
}

const ANY = 'any';

function Practices({ cards }: { cards: readonly PracticeCard[] }): ReactElement {
  const [filter, setFilter] = useState<PracticeFilter>(NO_FILTER);
  const found = findPractices(cards, filter);
  const set = (change: Partial<PracticeFilter>): void => setFilter((current) => ({ ...current, ...change }));
  const anyOf = (name: string, values: readonly string[]): Option<string>[] => [
    { value: ANY, label: `Any ${name}` },
    ...[...new Set(values)].toSorted().map((value) => ({ value, label: value })),
  ];
  const fromOption = (value: string): string | null => (value === ANY ? null : value);
  return (
    <>
      <div className={css['filters']} role="search">
        <TextField
          label="Search"
          placeholder="delay, interview, hotel …"
          type="search"
          value={filter.search}
          onChange={(search) => set({ search })}
        />
        <Select
          label="Category"
          value={filter.category ?? ANY}
          onChange={(value) => set({ category: fromOption(value) })}
          options={anyOf(
            'category',
            cards.map((card) => card.category),
          )}
        />
        <Select
          label="Level"
          value={filter.level ?? ANY}
          onChange={(value) => set({ level: fromOption(value) })}
          options={[{ value: ANY, label: 'Any level' }, ...optionsOf(LEVEL_NAMES)]}
        />
        <Select
          label="Coach"
          value={filter.coach ?? ANY}
          onChange={(value) => set({ coach: fromOption(value) })}
          options={anyOf(
            'coach',
            cards.map((card) => card.coachName),
          )}
        />
      </div>
      {found.length === 0 ? (
        <EmptyState
          title="No practice fits"
          action={<Button onPress={() => setFilter(NO_FILTER)}>Show all practices</Button>}
        >
          Try other words, or take a filter away.
        </EmptyState>
      ) : (
        <>
          <h2 className={css['count']}>{found.length === 1 ? '1 practice' : `${found.length} practices`}</h2>
          <ul className={css['grid']}>
            {found.map((card) => (
              <li key={card.practiceId} style={{ display: 'grid' }}>
                <PracticeCardView card={card} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Course({ course }: { course: CourseCard }): ReactElement {
  return (
    <section className={css['course']} aria-label={course.title}>
      <div>
        <Row>
          <h2>{course.title}</h2>
          {course.status === 'coming_soon' && <Badge>coming soon</Badge>}
        </Row>
        <Quiet>{course.description}</Quiet>
      </div>
      {course.sections.map((section, index) => (
        <Stack key={section.courseSectionId} tight>
          <div>
            <h3>
              {index + 1}. {section.title}
            </h3>
            <Quiet small>{section.descriptions}</Quiet>
          </div>
          <ul className={css['grid']}>
            {section.practices.map((card) => (
              <li key={card.practiceId} style={{ display: 'grid' }}>
                <PracticeCardView card={card} />
              </li>
            ))}
          </ul>
        </Stack>
      ))}
    </section>
  );
}
