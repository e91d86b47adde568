/** The design system: tokens, controls, surfaces and scores. */
export { cx } from './class-names.ts';
export { CommandList } from './controls/command-list.tsx';
export { I18nProvider as MessagesProvider, Trans } from '@lingui/react';
export { I18nProvider as LocaleProvider } from 'react-aria-components';
export { Button } from './controls/button.tsx';
export { Dialog } from './controls/dialog.tsx';
export { IconButton } from './controls/icon-button.tsx';
export { type Option, toOptions } from './controls/options.ts';
export { SegmentedControl } from './controls/segmented-control.tsx';
export { Select } from './controls/select.tsx';
export { Switch } from './controls/switch.tsx';
export { Tabs } from './controls/tabs.tsx';
export { TextField } from './controls/text-field.tsx';
export { Toggle } from './controls/toggle.tsx';
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
export { useRovingFocus } from './use-roving-focus.ts';
export { typographic } from './typographic.ts';
export { Address, Badge, Banner, Card, EmptyState, MutedText, Notice, Row, Skeleton, Stack } from './surfaces.tsx';
export { Avatar } from './pictures/avatar-picture.tsx';
export { callColors, coachColor } from './pictures/coach-colors.ts';
export { Cover } from './pictures/cover-picture.tsx';
export type { SpeechPictureName } from './pictures/speech-picture.tsx';
export { Portrait } from './pictures/portrait-picture.tsx';
export {
  drawPicture,
  PICTURE_TYPES,
  type PictureFormat,
  type PictureSize,
  shrinkPicture,
  toPictureAddress,
} from './pictures/shrink-picture.ts';
export { VideoCaptions } from './video-captions.tsx';
