export {
  selectPeople as listPeople,
  selectPerson as readPerson,
  selectPeopleNamed as findPeople,
  selectPersonByEmail as findPersonByEmail,
} from './people/person.sql.ts';
