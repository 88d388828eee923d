'use client';
import { useEffect, useState } from 'react';
import { program } from '../program.mjs';

export function Client({ server }) {
  const [own, setOwn] = useState();
  useEffect(() => void program().then(setOwn), []);
  return own && <div id="result">{JSON.stringify([server, own])}</div>;
}
