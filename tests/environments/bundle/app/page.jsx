'use client';
import { useEffect, useState } from 'react';
import { measure } from '../measure.js';

export default function Page() {
  const [found, setFound] = useState();
  useEffect(() => void measure().then(setFound), []);
  return found && <div id="result">{JSON.stringify(found)}</div>;
}
