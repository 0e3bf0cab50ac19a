"""Figures as inline SVG: readable without colour, in print and in the dark.

Every figure is an `Element`: plain data with a title and a description, written as markup when a template shows it. Marks
carry hover titles. Colours are classes, so that the page's style sheet decides. Positions are pixels.
"""
