export {
  type DayOfReleases,
  type Hold,
  selectHold as readHold,
  selectReleases as releasesOf,
} from './hold.sql.ts';
