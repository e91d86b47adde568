/** The design system: tokens, controls, surfaces and scores. */
export { cx } from './class-names.ts';
export { CommandList } from './command-list.tsx';
export { I18nProvider as MessagesProvider, Trans } from '@lingui/react';
export { I18nProvider as LocaleProvider } from 'react-aria-components';
export {
  Button,
  Dialog,
  IconButton,
  type Option,
  toOptions,
  SegmentedControl,
  Select,
  Switch,
  Tabs,
  TextField,
  Toggle,
} from './controls.tsx';
export { missingPoints, type ScoreColumn } from './score-columns.ts';
export { ScoreField } from './score-field.tsx';
export { Icon, type IconName } from './icons.tsx';
export {
  formatScore,
  LevelMeter,
  ObjectiveList,
  PhonemeStrip,
  scoreBand,
  scoreForScreenReader,
  ScoreNumber,
  Waveform,
  WordStrip,
} from './scores.tsx';
export { Address, Badge, Banner, Card, EmptyState, MutedText, Row, Skeleton, Stack } from './surfaces.tsx';
export { callColors, Cover, coachColor, Portrait } from './pictures/pictures.tsx';
