import './page.css';
import './main.tsx';
