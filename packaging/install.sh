#!/bin/sh
# Installs permtui under PREFIX, which is ~/.local if it is not set, or removes it again.
#
#   ./install.sh
#   PREFIX=/usr/local ./install.sh
#   ./install.sh --remove
set -eu
cd "$(dirname "$0")"
PREFIX="${PREFIX:-$HOME/.local}"
export PREFIX

if [ "${1:-}" != --remove ] && ! said=$(program/permtui --version 2>&1); then
  echo "permtui does not start on this system: $said" >&2
  echo "It needs glibc 2.35 or newer, and the libraries of ncurses 6 and SQLite 3." >&2
  exit 1
fi
exec scripts/install "${1:-program}"
