/** The design language: tokens, controls, surfaces and scores. */
export { cx } from './class-names.ts';
export {
  Button,
  Dialog,
  IconButton,
  type Option,
  optionsOf,
  Segments,
  Select,
  Switch,
  Tabs,
  TextField,
  Toggle,
} from './controls.tsx';
export { Icon, type IconName } from './icons.tsx';
export {
  DimensionBar,
  formatScore,
  LevelMeter,
  ObjectiveList,
  PhonemeStrip,
  scoreBand,
  spokenScore,
  ScoreRing,
  Waveform,
  WordStrip,
} from './scores.tsx';
export { Address, Avatar, Badge, Banner, Card, EmptyState, Quiet, Row, Skeleton, Stack } from './surfaces.tsx';
