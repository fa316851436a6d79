export {
  selectPeople as listPeople,
  selectPerson as readPerson,
  selectPeopleNamed as findPeople,
  selectPersonByEmail as findPersonByEmail,
} from './person.sql.ts';
