export {
  type DayOfReleases,
  type Hold,
  selectHold as readHold,
  selectReleases as releasesOf,
} from './holds/hold.sql.ts';
